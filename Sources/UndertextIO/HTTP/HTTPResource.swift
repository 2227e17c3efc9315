internal import Synchronization
internal import UndertextCore

/// The state that all connections to one address share.
final class HTTPResource: Sendable {
    /// The address that the user named.
    let named: HTTPAddress
    /// The name in errors.
    let name: String
    /// The length of the entire resource; `nil` if the server does not report it.
    let size: UInt64?
    /// The validator (ETag or date) that must not change between requests.
    private let version: String?
    /// The current address, after redirects.
    private let place: Mutex<HTTPAddress>
    private let refusesMany = Atomic<Bool>(false)
    private let failures = Atomic<Int>(0)
    /// The total number of failures of all connections after which none is retried.
    private static let mostFailures = 100

    init(
        named: HTTPAddress, name: String, head: HTTPConnection.Head, size: UInt64?,
        sendsManyRanges: Bool
    ) {
        self.named = named
        self.name = name
        self.size = size
        version = Self.version(head)
        place = Mutex(head.address)
        if !sendsManyRanges { refusesManyRanges() }
    }

    /// `true` if the server may send several ranges in one response.
    var sendsManyRanges: Bool { !refusesMany.load(ordering: .relaxed) }

    /// Records that the server refuses several ranges in one request.
    func refusesManyRanges() { refusesMany.store(true, ordering: .relaxed) }

    /// Counts a failure; `true` if another attempt may still help.
    func mayRetryAfterFailure() -> Bool {
        failures.wrappingAdd(1, ordering: .relaxed).newValue < Self.mostFailures
    }

    /// The address for the next request.
    var address: HTTPAddress { place.withLock { $0 } }

    /// Returns to the named address, because a redirect's target may expire.
    ///
    /// - Returns: `true` if a redirect had been followed.
    func forgetRedirects(of address: HTTPAddress) -> Bool {
        place.withLock { place in
            guard address != named else { return false }
            place = named
            return true
        }
    }

    /// Records the address that responded.
    func note(_ address: HTTPAddress) { place.withLock { $0 = address } }

    /// `true` if a response belongs to the same file; `total` is the length that it states.
    func isSame(_ head: HTTPConnection.Head, total: UInt64?) -> Bool {
        if let total, let size, total != size { return false }
        guard let version, let other = Self.version(head) else { return true }
        return version == other
    }

    /// Servers of one host may tag the same file differently, but date it equally.
    private static func version(_ head: HTTPConnection.Head) -> String? {
        head.fields["last-modified"] ?? head.fields["etag"]
    }
}
