package import UndertextCore

/// Determines from which packet on a decoder that started within a stream shows the same as one that read all of it.
package protocol AcquisitionSearch {
    /// `true` if both decoders have the same state, and nothing is on screen.
    var isAcquired: Bool { get }

    /// Takes the next packet of the stream.
    mutating func add(_ packet: Packet)
}

/// The rule of captions: every code builds on those before it, and captions stay until they are erased.
struct CaptionRandomAccess: RandomAccessRule {
    /// Makes a search; `nil` if decoding has to start at the beginning of the stream.
    var makeAcquisitionSearch: @Sendable () -> (any AcquisitionSearch)? = { nil }

    var isEveryPacketWhole: Bool { false }
    var buildsOnAllBefore: Bool { true }

    /// The packet's start; its duration is that of its codes, not that of a caption.
    func times(of packet: Packet) -> PacketTimes {
        PacketTimes(start: packet.start, end: nil, isFinal: false)
    }

    /// No packet repeats the screen.
    func role(of data: [UInt8]) -> PacketRole {
        PacketRole(isRandomAccessPoint: false, shows: nil)
    }

    func acquisitionSearch() -> (any AcquisitionSearch)? { makeAcquisitionSearch() }
}
