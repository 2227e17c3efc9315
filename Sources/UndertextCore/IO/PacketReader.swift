/// Pulls the packets of chosen streams, in the order in which the container stores them.
public protocol PacketReader: AnyObject {
    /// The next packet of a chosen stream, or `nil` at the end of the input.
    ///
    /// Damage costs the packet it hits and leaves a ``Diagnostic``; an error ends the reading.
    func nextPacket() throws(UndertextError) -> Packet?

    /// The diagnostics since the last call, without having ended the reading.
    func takeDiagnostics() -> [Diagnostic]
}
