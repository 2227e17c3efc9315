internal import Synchronization
internal import UndertextCore

/// What the connections to one address know of it together.
final class HTTPResource: Sendable {
    /// What the user named.
    let named: HTTPAddress
    /// The name for errors.
    let name: String
    /// The length of the whole; `nil` if the server does not say.
    let size: UInt64?
    /// What must not change while it is read.
    private let version: String?
    /// Where redirects have led.
    private let place: Mutex<HTTPAddress>
    private let refusesMany = Atomic<Bool>(false)
    private let failures = Atomic<Int>(0)
    /// Failures of all connections together, after which none is repeated any more.
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

    /// `true` if the server may send several ranges in one answer.
    var sendsManyRanges: Bool { !refusesMany.load(ordering: .relaxed) }

    /// Notes that it does not.
    func refusesManyRanges() { refusesMany.store(true, ordering: .relaxed) }

    /// Counts a failure; whether trying again may still help.
    func mayRetryAfterFailure() -> Bool {
        failures.wrappingAdd(1, ordering: .relaxed).newValue < Self.mostFailures
    }

    /// Where to ask.
    var address: HTTPAddress { place.withLock { $0 } }

    /// Forgets where redirects have led: such an address may hold for a while only.
    ///
    /// - Returns: whether there was anything to forget.
    func forgetRedirects(of address: HTTPAddress) -> Bool {
        place.withLock { place in
            guard address != named else { return false }
            place = named
            return true
        }
    }

    /// Notes who answered.
    func note(_ address: HTTPAddress) { place.withLock { $0 = address } }

    /// `true` if a response is of the same file; `total` is the length that it states.
    func isSame(_ head: HTTPConnection.Head, total: UInt64?) -> Bool {
        if let total, let size, total != size { return false }
        guard let version, let other = Self.version(head) else { return true }
        return version == other
    }

    /// Servers of one name may tag the same file differently, but not date it so.
    private static func version(_ head: HTTPConnection.Head) -> String? {
        head.fields["last-modified"] ?? head.fields["etag"]
    }
}
