package import UndertextCore

/// Reads a Scenarist SCC file as packets of CEA-608, one for each line: `00:00:01:00 9420 9420 94ae 94ae …`.
///
/// Each service that the file has data of is a stream. `Documentation/Formats/SCC.md` says what is repaired.
package final class SCCFileReader: TextFileReader {
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink
    /// The services that the file has.
    package let streams: [StreamDescription]
    /// The first service.
    package let stream: StreamDescription

    private let lines: [SCCParser.Line]
    /// The next line, and the next of the streams that have its field.
    private var next = (line: 0, stream: 0)
    private let timeBase: TimeBase
    private var notes: TextFileNotes

    /// The duration of a frame.
    static let frame = TimeBase(1001, 30000)
    private static let signature = "Scenarist_SCC V1."

    /// Takes apart `text`: valid UTF-8 without a byte order mark.
    package convenience init(
        _ text: [UInt8], limits: Limits, diagnostics: DiagnosticSink = .init()
    ) {
        self.init(text, limits: limits, frameRate: nil, diagnostics: diagnostics)
    }

    /// Takes apart `text`, whose time codes count frames of that rate; `nil` = 29.97 a second.
    init(_ text: [UInt8], limits: Limits, frameRate: TimeBase?, diagnostics: DiagnosticSink) {
        self.diagnostics = diagnostics
        let rate = frameRate.flatMap(FrameRate.init(framesPerSecond:)) ?? .ntsc
        timeBase = TimeBase(rate.isNTSC ? 1001 : 1000, Int32(rate.integerRate * 1000))
        var parser = SCCParser(rate: rate.integerRate, limits: limits, diagnostics: diagnostics)
        parser.parse(text)
        notes = parser.notes
        lines = parser.lines
        var survey = CaptionSurvey()
        for line in lines {
            for pair in stride(from: 0, to: line.pairs.count, by: 2) {
                survey.addPair(
                    line.pairs[pair], line.pairs[pair + 1], field: Int(line.field & 1))
            }
        }
        streams = survey.streams()
        stream = streams[0]
    }

    /// Bytes of the text that have been taken apart.
    package var position: Int { next.line == 0 ? 0 : lines[next.line - 1].end }

    /// Why `text` is no SCC; `nil` if it is.
    package static func refusal(of text: ArraySlice<UInt8>) -> String? {
        let line = LineCursor.firstLine(of: text)
        return line[...].hasPrefix(signature) ? nil : "its first line is not Scenarist_SCC V1.0"
    }

    /// The next packet; `nil` at the end of the file.
    package func nextPacket() throws(UndertextError) -> Packet? {
        while next.line < lines.count {
            let line = lines[next.line]
            while next.stream < streams.count {
                let index = next.stream
                next.stream += 1
                let field = streams[index].service.flatMap(CEA608Service.init(name:))?.field ?? 0
                if UInt8(field) == line.field { return packet(line, stream: index) }
            }
            next = (next.line + 1, 0)
        }
        notes.finish()
        return nil
    }

    private func packet(_ line: SCCParser.Line, stream: Int) -> Packet {
        var data: [UInt8] = []
        data.reserveCapacity(line.pairs.count / 2 * 3)
        for index in stride(from: 0, to: line.pairs.count, by: 2) {
            data += [
                CaptionTriplet.marker | line.field, line.pairs[index], line.pairs[index + 1],
            ]
        }
        return Packet(
            streamIndex: stream, pts: line.frame, duration: Int64(line.pairs.count / 2),
            timeBase: timeBase, data: data)
    }
}
