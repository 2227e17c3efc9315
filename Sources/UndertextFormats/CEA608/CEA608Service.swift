internal import UndertextCore

/// One of the eight services of line 21 data: captions or text of a data channel of a field.
///
/// CTA-608-E, section 4: field 1 carries CC1, CC2, T1 and T2, field 2 carries CC3, CC4, T3, T4 and XDS.
package struct CEA608Service: Hashable, Sendable, CaseIterable {
    /// The number, 1 to 4.
    package let number: Int
    /// `true` for text, `false` for captions.
    package let isText: Bool

    /// The first caption service.
    package static let cc1 = CEA608Service(number: 1, isText: false)

    /// All services, captions first.
    package static let allCases = [false, true].flatMap { isText in
        (1...4).map { CEA608Service(number: $0, isText: isText) }
    }

    private init(number: Int, isText: Bool) {
        self.number = number
        self.isText = isText
    }

    /// The service of a field (0 or 1) and a data channel (0 or 1).
    init(field: Int, channel: Int, isText: Bool) {
        self.init(number: (field & 1) * 2 + (channel & 1) + 1, isText: isText)
    }

    /// The service of that name, such as `CC1` or `T3`; `nil` if none has it.
    package init?(name: String) {
        guard let service = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = service
    }

    /// The service of a track; CC1 for a track that states none.
    init(of stream: StreamDescription) {
        self = stream.service.flatMap(Self.init(name:)) ?? .cc1
    }

    /// The name: `CC1` to `CC4`, `T1` to `T4`.
    package var name: String { (isText ? "T" : "CC") + String(number) }

    /// The field: 0 for the first, 1 for the second.
    package var field: Int { (number - 1) / 2 }
    /// The data channel within the field, 0 or 1.
    var channel: Int { (number - 1) % 2 }
}
