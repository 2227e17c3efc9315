internal import UndertextCore

/// Joins units that a container stores in several packets.
///
/// A packet that does not complete its unit is kept until later ones do; bytes after a unit are stuffing. A
/// packet that looks like a complete unit ends the wait.
struct SubPictureAssembler {
    /// A unit with the times of the packet it began in.
    struct Assembled {
        var packet: Packet
        /// The number of bytes that were not received.
        var missing: Int
    }

    private let limits: Limits
    private var pending: Packet?

    init(limits: Limits) { self.limits = limits }

    /// Adds a packet; returns the units that are complete, or that can no longer be completed.
    mutating func add(_ packet: Packet) -> [Assembled] {
        guard var begun = pending else { return start(packet) }
        // There must be only one reference, otherwise each packet would copy all earlier ones.
        pending = nil
        let missing = Self.missing(begun.data)
        let seemsNew = packet.pts != nil && packet.pts != begun.pts && Self.isWhole(packet.data)
        if seemsNew || packet.data.isEmpty {
            return [Assembled(packet: begun, missing: missing)] + start(packet)
        }
        begun.data += packet.data.prefix(missing)
        begun.duration = begun.duration ?? packet.duration
        pending = begun
        return Self.missing(begun.data) == 0 ? finish() : []
    }

    /// Returns the data that was held back, at the end or before a seek.
    mutating func finish() -> [Assembled] {
        defer { pending = nil }
        return pending.map { [Assembled(packet: $0, missing: Self.missing($0.data))] } ?? []
    }

    private mutating func start(_ packet: Packet) -> [Assembled] {
        let missing = Self.missing(packet.data)
        guard missing > 0, packet.data.count + missing <= limits.packetSize else {
            return packet.data.isEmpty ? [] : [Assembled(packet: packet, missing: missing)]
        }
        pending = packet
        return []
    }

    /// The number of missing bytes of a unit; 0 if there is no header that states its size.
    private static func missing(_ data: [UInt8]) -> Int {
        SubPictureUnit.Header(data[...]).map { max(0, $0.size - data.count) } ?? 0
    }

    private static func isWhole(_ data: [UInt8]) -> Bool {
        guard let header = SubPictureUnit.Header(data[...]), header.size <= data.count else {
            return false
        }
        return SubPictureUnit(data)?.isDamaged == false
    }
}
