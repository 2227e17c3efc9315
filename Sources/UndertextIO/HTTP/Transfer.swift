internal import CUndertextCurl
internal import UndertextCore

/// The state of libcurl's callbacks: the response to one request.
///
/// libcurl's handle refers to it without retaining it: the connection owns both.
@safe
final class Transfer {
    /// The status of the last response; 0 before the first.
    private(set) var status = 0
    /// `true` after the last header.
    private(set) var hasHead = false
    /// The header fields, by lowercase name.
    private(set) var fields: [String: String] = [:]
    /// The part of the body that has not been taken.
    private(set) var body: [UInt8] = []
    /// The number of body bytes received so far.
    private(set) var received = 0
    /// The buffer size in bytes at which libcurl pauses.
    var capacity = 0
    /// `true` while libcurl is paused.
    var isPaused = false
    /// `true` if only public machines may be connected to.
    var refusesPrivate = false
    /// `true` if a machine was refused.
    private(set) var hasRefused = false
    /// `true` if the headers were longer than ``mostHeaders``.
    private(set) var hasLongHeaders = false
    /// The number of header bytes so far, informational (1xx) responses included.
    private var headerBytes = 0

    private static let known: Set<Substring> = [
        "content-range", "content-length", "content-encoding", "content-type", "etag",
        "last-modified",
    ]

    /// The limit for the number of header fields that are kept.
    private static let mostFields = 100
    private static let longestField = 8192
    /// The limit for all headers of a response, in bytes.
    ///
    /// Servers allow 8 to 64 KiB; newer libcurl versions allow 300 kB.
    static let mostHeaders = 256 << 10

    /// Discards the last response.
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

    /// `true` if libcurl may continue with the body.
    var hasRoom: Bool { body.count < capacity }

    /// Removes and returns up to `count` bytes of the body.
    func take(_ count: Int) -> [UInt8] {
        guard count < body.count else {
            defer { body = [] }
            return body
        }
        defer { body.removeFirst(count) }
        return Array(body.prefix(count))
    }

    /// Parses one header line; `false` ends the transfer.
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
            // An informational (1xx) response precedes the final one.
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

    /// Stores a part of the body; returns the number of bytes taken, or the code that pauses libcurl.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard hasRoom else {
            isPaused = true
            return ccurl_pause
        }
        unsafe body.append(contentsOf: bytes)
        received += bytes.count
        return bytes.count
    }

    /// A socket for an address, or none if the address is refused.
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

    /// The pointer that libcurl passes to its callbacks.
    var opaque: UnsafeMutableRawPointer { unsafe Unmanaged.passUnretained(self).toOpaque() }

    /// The state to which a callback's pointer refers.
    static func from(_ opaque: UnsafeMutableRawPointer?) -> Transfer? {
        guard let opaque = unsafe opaque else { return nil }
        return unsafe Unmanaged<Transfer>.fromOpaque(opaque).takeUnretainedValue()
    }
}
