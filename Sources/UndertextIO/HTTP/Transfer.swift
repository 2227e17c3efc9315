internal import CUndertextCurl
internal import UndertextCore

/// The state of libcurl's callbacks: the answer to one request.
///
/// Referenced by libcurl's handle without being retained: the connection keeps both.
@safe
final class Transfer {
    /// The status of the last answer; 0 before there is one.
    private(set) var status = 0
    /// `true` if all of the headers are there.
    private(set) var hasHead = false
    /// The headers, by their name in lower case.
    private(set) var fields: [String: String] = [:]
    /// The part of the body that has not been taken.
    private(set) var body: [UInt8] = []
    /// Bytes of the body so far.
    private(set) var received = 0
    /// libcurl is made to wait while the body has so many bytes.
    var capacity = 0
    /// `true` if libcurl waits.
    var isPaused = false
    /// `true` if only public machines may be connected to.
    var refusesPrivate = false
    /// `true` if a machine was refused.
    private(set) var hasRefused = false
    /// `true` if the headers were longer than ``mostHeaders``.
    private(set) var hasLongHeaders = false
    /// Bytes of headers so far, those of answers that only announce others (1xx) among them.
    private var headerBytes = 0

    private static let known: Set<Substring> = [
        "content-range", "content-length", "content-encoding", "content-type", "etag",
        "last-modified",
    ]

    /// What else is kept of an answer's headers: fields, and bytes of each.
    private static let mostFields = 100
    private static let longestField = 8192
    /// Bytes of all headers of an answer: servers allow 8 to 64 KiB, and libcurl 300 kB in newer versions.
    static let mostHeaders = 256 << 10

    /// Forgets the last answer.
    func reset(refusesPrivate: Bool) {
        status = 0
        hasHead = false
        fields = [:]
        body = []
        received = 0
        capacity = 1 << 16
        isPaused = false
        hasRefused = false
        hasLongHeaders = false
        headerBytes = 0
        self.refusesPrivate = refusesPrivate
    }

    /// `true` if libcurl may go on with the body.
    var hasRoom: Bool { body.count < capacity }

    /// Takes up to `count` bytes of the body.
    func take(_ count: Int) -> [UInt8] {
        guard count < body.count else {
            defer { body = [] }
            return body
        }
        defer { body.removeFirst(count) }
        return Array(body.prefix(count))
    }

    /// One line of the headers; `false` ends the transfer.
    func header(_ line: UnsafeRawBufferPointer) -> Bool {
        headerBytes += line.count
        guard headerBytes <= Self.mostHeaders else {
            hasLongHeaders = true
            return false
        }
        unsafe take(header: String(decoding: line, as: UTF8.self).trimmed)
        return true
    }

    private func take(header text: String) {
        if text.isEmpty {
            // 1xx announces a further answer.
            hasHead = status >= 200
        } else if text.hasPrefix("HTTP/") {
            status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            hasHead = false
            fields = [:]
        } else if let colon = text.firstIndex(of: ":") {
            let name = text[..<colon].lowercased()
            guard
                Self.known.contains(name[...])
                    || (fields.count < Self.mostFields && text.utf8.count <= Self.longestField)
            else { return }
            fields[name] = text[text.index(after: colon)...].trimmed
        }
    }

    /// A part of the body; how many bytes were taken, or the sign to wait.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard hasRoom else {
            isPaused = true
            return ccurl_pause
        }
        unsafe body.append(contentsOf: bytes)
        received += bytes.count
        return bytes.count
    }

    /// A socket for an address, or none where that may not be reached.
    func socket(for address: UnsafeMutablePointer<curl_sockaddr>) -> Int32 {
        if refusesPrivate {
            var length: Int32 = 0
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
                if let base = buffer.baseAddress {
                    unsafe length = ccurl_address_bytes(address, base)
                }
                count = Int(length)
            }
            guard !PrivateAddress.contains(bytes) else {
                hasRefused = true
                return ccurl_bad_socket
            }
        }
        return unsafe ccurl_open_socket(address)
    }

    /// The pointer that libcurl's callbacks get.
    var opaque: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    /// The state that a callback's pointer refers to.
    static func from(_ opaque: UnsafeMutableRawPointer?) -> Transfer? {
        guard let opaque = unsafe opaque else { return nil }
        return unsafe Unmanaged<Transfer>.fromOpaque(opaque).takeUnretainedValue()
    }
}
