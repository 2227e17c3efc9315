internal import CUndertext
internal import Undertext
internal import UndertextCore

/// The failure of a call.
struct Failure: Error {
    var status: undertext_status
    var message: String
    /// The name of the failure for programs.
    var code: String
    /// The remedy in the form of `undertext_error.remedy`; empty if there is none.
    var remedy = ""

    init(_ status: undertext_status, _ message: String, code: String = "invalid-argument") {
        self.status = status
        self.message = message
        self.code = code
    }

    init(_ error: UndertextError) {
        let status =
            switch error.code {
            case .notFound, .notDirectory, .nameTooLong, .noSuchStream, .noSuchTrack, .noTrack:
                UNDERTEXT_STATUS_NOT_FOUND
            case .invalidValue, .invalidRequest, .outputIsInput: UNDERTEXT_STATUS_INVALID_ARGUMENT
            case .encrypted: UNDERTEXT_STATUS_ENCRYPTED
            case .permission, .missingKey, .unauthorized, .readOnly: UNDERTEXT_STATUS_PERMISSION
            case .notMedia, .malformed, .malformedAnswer, .empty, .isDirectory, .charset:
                UNDERTEXT_STATUS_MALFORMED
            case .io, .unreachable, .serverError, .rateLimited, .noSpace: UNDERTEXT_STATUS_IO
            case .unsupported: UNDERTEXT_STATUS_UNSUPPORTED
            case .missingLibrary, .missingLanguage: UNDERTEXT_STATUS_MISSING_LIBRARY
            case .limit, .quotaExceeded: UNDERTEXT_STATUS_LIMIT
            case .cancelled: UNDERTEXT_STATUS_CANCELLED
            case .timeout: UNDERTEXT_STATUS_TIMEOUT
            case .nestedOpen, .refused: UNDERTEXT_STATUS_REFUSED
            default: UNDERTEXT_STATUS_FAILED
            }
        self.init(status, error.description, code: error.code.name)
        remedy = error.remedy?.words ?? ""
    }

    static func argument(_ message: String) -> Failure {
        Failure(UNDERTEXT_STATUS_INVALID_ARGUMENT, message)
    }
}

/// Runs the body of a C function, stores its result in `error`, and returns its status.
func report(
    to error: UnsafeMutablePointer<undertext_error>?, _ work: () throws(Failure) -> undertext_status
) -> undertext_status {
    do throws(Failure) {
        let status = try work()
        unsafe fill(Failure(status, "", code: ""), error)
        return status
    } catch let failure {
        unsafe fill(failure, error)
        return failure.status
    }
}

private func fill(_ failure: Failure, _ target: UnsafeMutablePointer<undertext_error>?) {
    guard unsafe target != nil else { return }
    var value = undertext_error()
    value.status = failure.status.rawValue
    unsafe withUnsafeMutableBytes(of: &value.message) { unsafe store(failure.message, in: $0) }
    unsafe withUnsafeMutableBytes(of: &value.code) { unsafe store(failure.code, in: $0) }
    unsafe withUnsafeMutableBytes(of: &value.remedy) { unsafe store(failure.remedy, in: $0) }
    _ = unsafe write(value, to: target)
}

/// Stores a text in bytes that are zero, truncated at a character boundary, so that a zero follows.
private func store(_ text: String, in bytes: UnsafeMutableRawBufferPointer) {
    var end = 0
    for character in text.unicodeScalars where character != "\0" {
        let utf8 = Array(String(character).utf8)
        guard end + utf8.count < bytes.count else { break }
        for byte in utf8 {
            unsafe bytes[end] = byte
            end += 1
        }
    }
}

extension Remedy {
    /// The remedy in the form of `undertext_error.remedy`.
    fileprivate var words: String {
        let lists = [settings.map(\.rawValue), values].map { $0.joined(separator: ",") }
        return ([name] + lists.filter { !$0.isEmpty }).joined(separator: " ")
    }
}

/// Runs `work` and converts the error that it throws.
func attempt<Value>(_ work: () throws(UndertextError) -> Value) throws(Failure) -> Value {
    do throws(UndertextError) { return try work() } catch { throw Failure(error) }
}
