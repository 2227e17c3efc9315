/// The packets of some streams of a text file that are on screen in a part of the timeline.
///
/// Cues of a text file stand in any order, so all of them are looked at.
final class TextWindow: PacketReader {
    private let reader: any PacketReader
    private let window: TimeWindow
    private let streams: Set<Int>

    init(_ reader: any PacketReader, _ window: TimeWindow, _ streams: Set<Int>) {
        self.reader = reader
        self.window = window
        self.streams = streams
    }

    func nextPacket() throws(UndertextError) -> Packet? {
        while let packet = try reader.nextPacket() {
            guard streams.contains(packet.streamIndex) else { continue }
            // One without a time is somebody else's to tell of, one without an end lasts until another comes.
            guard let start = packet.start else { return packet }
            let isOpen = packet.end.map { $0 <= start } ?? true
            let end = isOpen ? Timestamp.distantFuture : packet.end ?? start
            if window.overlaps(from: start, until: end) { return packet }
        }
        return nil
    }

    func takeDiagnostics() -> [Diagnostic] { reader.takeDiagnostics() }
}
