/// Pulls the packets of chosen streams, in the order in which the container stores them.
public protocol PacketReader: AnyObject {
    /// The next packet of a chosen stream, or `nil` at the end of the input.
    ///
    /// Damage costs the packet it hits and leaves a ``Diagnostic`` where the reader reports; an error ends the
    /// reading.
    func nextPacket() throws(UndertextError) -> Packet?
}
