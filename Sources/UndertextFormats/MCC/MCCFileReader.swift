package import UndertextCore

/// Reads a MacCaption MCC file as packets of CEA-608 and CEA-708, one for each line: `00:00:01:00<TAB>T52S524F67…`.
///
/// Each service that the file has characters of is a stream. `Documentation/Formats/MCC.md` says what is repaired.
package final class MCCFileReader: TextFileReader {
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink
    /// The services that the file has: those of CEA-608, then those of CEA-708.
    package let streams: [StreamDescription]
    /// The first service.
    package let stream: StreamDescription

    private var packets: CaptionFramePackets
    private var notes: TextFileNotes

    private static let signature = "File Format=MacCaption_MCC V"

    /// Takes apart `text`: valid UTF-8 without a byte order mark.
    package convenience init(
        _ text: [UInt8], limits: Limits, diagnostics: DiagnosticSink = .init()
    ) {
        self.init(text, limits: limits, frameRate: nil, diagnostics: diagnostics)
    }

    /// Takes apart `text`, whose time codes count frames of that rate; `nil` = as the file says.
    init(_ text: [UInt8], limits: Limits, frameRate: TimeBase?, diagnostics: DiagnosticSink) {
        self.diagnostics = diagnostics
        let known = frameRate.flatMap(FrameRate.init(framesPerSecond:))
        var parser = MCCParser(
            rate: known.map { MCCRate($0) }, limits: limits, diagnostics: diagnostics)
        parser.parse(text)
        notes = parser.notes
        let isNTSC =
            known?.isNTSC ?? parser.frameRate.map { $0.denominator == 1001 }
            ?? parser.rate.isUsuallyNTSC
        let isDropping = parser.rate.dropsFrames
        packets = CaptionFramePackets(
            parser.captions,
            timeBase: TimeBase(
                isNTSC || isDropping ? 1001 : 1000, Int32(parser.rate.count * 1000)), duration: 1)
        streams = packets.streams
        stream = streams[0]
    }

    /// Bytes of the text that have been taken apart.
    package var position: Int { packets.position }

    /// Why `text` is no MCC; `nil` if it is.
    package static func refusal(of text: ArraySlice<UInt8>) -> String? {
        let line = LineCursor.firstLine(of: text)
        return line[...].hasPrefix(signature) ? nil : "its first line is not \(signature)1.0"
    }

    /// The next packet; `nil` at the end of the file.
    package func nextPacket() throws(UndertextError) -> Packet? {
        if let packet = packets.nextPacket() { return packet }
        notes.finish()
        return nil
    }
}
