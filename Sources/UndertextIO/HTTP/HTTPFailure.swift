internal import CUndertextCurl
internal import UndertextCore

/// The cause of a failed request, and whether a retry may succeed.
struct HTTPFailure: Error {
    let error: UndertextError
    let isTransient: Bool

    init(_ error: UndertextError, isTransient: Bool = false) {
        self.error = error
        self.isTransient = isTransient
    }

    /// A failure that libcurl reported.
    init(code: Int32, name: String, _ library: CurlLibrary) {
        let said = library.text(code)
        let timeout = Int32(bitPattern: CURLE_OPERATION_TIMEDOUT.rawValue)
        let lost = [
            CURLE_COULDNT_CONNECT, CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR,
            CURLE_RECV_ERROR,
        ].map { Int32(bitPattern: $0.rawValue) }
        if code == timeout {
            self.init(
                UndertextError(
                    .timeout, "no answer in time; try again", path: name, underlying: said))
        } else if lost.contains(code) {
            self.init(
                UndertextError(
                    .io, "the connection failed or was closed early", path: name, underlying: said),
                isTransient: true)
        } else {
            self.init(UndertextError(.io, "could not be read", path: name, underlying: said))
        }
    }

    /// A response with an unexpected status.
    init(status: Int, name: String) {
        self.init(HTTPStatus.error(status, of: name), isTransient: HTTPStatus.mayPass(status))
    }
}
