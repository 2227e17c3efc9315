package import UndertextCore

/// The rule for seeks in a stream: the packets at which decoding may start, and how long packets stay on screen.
package protocol RandomAccessRule: Sendable {
    /// `true` if no packet builds on another one.
    var isEveryPacketWhole: Bool { get }
    /// `true` if every packet builds on all those before it, as captions do: a part of the timeline needs all of them.
    var buildsOnAllBefore: Bool { get }
    /// `true` if the next packet removes the content of a packet, regardless of the duration.
    var isReplacedByNext: Bool { get }
    /// `true` if a packet may leave the screen as it is.
    var mayLeaveScreen: Bool { get }
    /// `true` if the content of a packet may continue in the next one, as in documents.
    var mayContinue: Bool { get }
    /// `true` if only the first packet of a display set has a reliable time.
    var isTimedByFirstPacket: Bool { get }
    /// The longest delay from the start of a packet to an end that the packet itself states; `nil` if packets
    /// state none.
    var longestOwnEnd: Duration? { get }

    /// The time during which the content of a packet is on screen.
    func times(of packet: Packet) -> PacketTimes
    /// The part that the data of a packet plays in a seek.
    func role(of data: [UInt8]) -> PacketRole
    /// Starts a search for the moment from which on a decoder knows the screen; `nil` if decoding has to start at the
    /// beginning.
    ///
    /// Only for packets that build on all those before them.
    func acquisitionSearch() -> (any AcquisitionSearch)?
}

/// The time during which the content of a packet is on screen.
package struct PacketTimes: Hashable, Sendable {
    /// The time of the first change on the screen; `nil` if there is none, or if the packet has no time.
    package var start: Timestamp?
    /// The end; meaningless if it is not after the start.
    package var end: Timestamp?
    /// `true` if nothing that follows ends it earlier.
    package var isFinal: Bool
}

/// The part that a packet plays in a seek.
package struct PacketRole: Hashable, Sendable {
    /// `true` if a decoder that knows nothing yet may start with the packet.
    package var isRandomAccessPoint: Bool
    /// `true` if a decoder may start with the packet where no random access point is within reach.
    ///
    /// A decoder that saw the packets before it may know more.
    package var isAcquisitionPoint: Bool
    /// `true` if something is on screen from then on; `nil` if the packet does not say.
    package var shows: Bool?

    /// Creates a role.
    package init(isRandomAccessPoint: Bool, isAcquisitionPoint: Bool = false, shows: Bool?) {
        self.isRandomAccessPoint = isRandomAccessPoint
        self.isAcquisitionPoint = isAcquisitionPoint
        self.shows = shows
    }
}

extension RandomAccessRule {
    /// `true`.
    package var isEveryPacketWhole: Bool { true }
    /// `false`.
    package var buildsOnAllBefore: Bool { false }
    /// `false`.
    package var isReplacedByNext: Bool { false }
    /// `false`.
    package var mayLeaveScreen: Bool { false }
    /// `false`.
    package var mayContinue: Bool { false }
    /// `false`.
    package var isTimedByFirstPacket: Bool { false }
    /// `nil`.
    package var longestOwnEnd: Duration? { nil }

    /// `nil`.
    package func acquisitionSearch() -> (any AcquisitionSearch)? { nil }

    /// The packet's own start and end.
    package func times(of packet: Packet) -> PacketTimes { storedTimes(of: packet) }

    /// The packet's own start and end.
    func storedTimes(of packet: Packet) -> PacketTimes {
        let lasts = packet.end.map { end in packet.start.map { end > $0 } ?? false } ?? false
        return PacketTimes(start: packet.start, end: packet.end, isFinal: lasts)
    }

    /// A random access point that shows all of its content.
    package func role(of data: [UInt8]) -> PacketRole {
        PacketRole(isRandomAccessPoint: true, shows: !data.isEmpty)
    }
}

/// The rule for packets that are decoded independently and state their end, such as text.
package struct IndependentPackets: RandomAccessRule {
    /// Creates the rule.
    package init() {}
}
