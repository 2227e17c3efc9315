/// A reader of the packets of selected streams, in the order of the container.
public protocol PacketReader: AnyObject {
    /// Returns the next packet of a selected stream, or `nil` at the end of the input.
    ///
    /// A damaged packet is skipped and reported as a ``Diagnostic``; an error ends the reading.
    func nextPacket() throws(UndertextError) -> Packet?
}
