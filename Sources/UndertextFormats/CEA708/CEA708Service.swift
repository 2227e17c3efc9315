/// One of the 63 services of a DTVCC channel.
///
/// CTA-708-E, section 6: services 1 to 6 are the standard services, of which 1 is the primary caption service.
package struct CEA708Service: Hashable, Sendable {
    /// The number, 1 to 63.
    package let number: Int

    /// The numbers that services may have.
    package static let numbers = 1...63
    /// The primary caption service.
    package static let primary = CEA708Service(number: 1)

    private init(number: Int) { self.number = number }

    /// The service of a number; `nil` if none has it.
    package init?(_ number: Int) {
        guard Self.numbers.contains(number) else { return nil }
        self.init(number: number)
    }

    /// The service of that name, such as `SERVICE1`; `nil` if none has it.
    package init?(name: String) {
        guard name.hasPrefix(Self.prefix), let number = Int(name.dropFirst(Self.prefix.count)),
            let service = CEA708Service(number), service.name == name
        else { return nil }
        self = service
    }

    private static let prefix = "SERVICE"

    /// The name: `SERVICE1` to `SERVICE63`, as HLS has it in `INSTREAM-ID`.
    package var name: String { Self.prefix + String(number) }
}
