package import UndertextCore

/// Reads a MacCaption MCC file as packets of CEA-608 and CEA-708, one for each line: `00:00:01:00<TAB>T52S524F67…`.
///
/// Each service that the file has characters of is a stream. `Documentation/Formats/MCC.md` says what is repaired.
package final class MCCFileReader: TextFileReader {
    /// Where damage is reported.
    package let diagnostics: DiagnosticSink
    /// The services that the file has: those of CEA-608, then those of CEA-708.
    package let streams: [StreamDescription]
    /// The first service.
    package let stream: StreamDescription

    private let parser: MCCParser
    private let timeBase: TimeBase
    /// The next line, and the next of the streams.
    private var next = (line: 0, stream: 0)
    /// For each stream, `true` if its last packet had something to show: padding after it ends a code or a packet.
    private var needsPadding: [Bool]
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
        self.parser = parser
        notes = parser.notes
        let isNTSC =
            known?.isNTSC ?? parser.frameRate.map { $0.denominator == 1001 }
            ?? parser.rate.isUsuallyNTSC
        let isDropping = parser.rate.dropsFrames
        timeBase = TimeBase(isNTSC || isDropping ? 1001 : 1000, Int32(parser.rate.count * 1000))
        streams = Self.streams(of: parser)
        stream = streams[0]
        needsPadding = streams.map { _ in false }
    }

    /// Bytes of the text that have been taken apart.
    package var position: Int { next.line == 0 ? 0 : parser.lines[next.line - 1].end }

    /// Why `text` is no MCC; `nil` if it is.
    package static func refusal(of text: ArraySlice<UInt8>) -> String? {
        let line = LineCursor.firstLine(of: text)
        return line[...].hasPrefix(signature) ? nil : "its first line is not \(signature)1.0"
    }

    /// The next packet; `nil` at the end of the file.
    package func nextPacket() throws(UndertextError) -> Packet? {
        while next.line < parser.lines.count {
            let line = parser.lines[next.line]
            while next.stream < streams.count {
                let index = next.stream
                next.stream += 1
                let data = data(of: line, stream: index)
                guard !data.isEmpty else { continue }
                return Packet(
                    streamIndex: index, pts: line.frame, duration: 1, timeBase: timeBase,
                    data: data)
            }
            next = (next.line + 1, 0)
        }
        notes.finish()
        return nil
    }

    /// The triplets of a stream in a line; empty if they are padding that says nothing.
    private func data(of line: MCCParser.Line, stream index: Int) -> [UInt8] {
        let field = streams[index].service.flatMap(CEA608Service.init(name:))?.field
        var data: [UInt8] = []
        var isPadding = true
        for offset in stride(from: line.range.lowerBound, to: line.range.upperBound, by: 3) {
            let triplet = parser.triplets[offset..<offset + 3]
            let (header, first, second) = (
                parser.triplets[offset], parser.triplets[offset + 1], parser.triplets[offset + 2]
            )
            let isValid = header & 4 != 0
            if let field {
                guard isValid, header & 3 == UInt8(field) else { continue }
                if (first | second) & 0x7F != 0 { isPadding = false }
                data += triplet
            } else if header & 2 != 0 {
                // One triplet of padding ends a packet as well as many.
                if !isValid, data.count >= 3, data[data.count - 3] & 4 == 0 { continue }
                if isValid { isPadding = false }
                data += triplet
            }
        }
        defer { needsPadding[index] = !isPadding }
        return isPadding && !needsPadding[index] ? [] : data
    }

    // MARK: Services

    private static func streams(of parser: MCCParser) -> [StreamDescription] {
        var fields: [[UInt8]] = [[], []]
        for triplet in CaptionTriplet.all(in: parser.triplets)
        where triplet.isValid && triplet.type < 2 {
            fields[Int(triplet.type)] += [triplet.first, triplet.second]
        }
        let hasPairs = fields.joined().contains { $0 & 0x7F > 0x20 }
        let pairs = hasPairs ? SCCServices([(0, fields[0]), (1, fields[1])]).found : []
        let names =
            pairs.map { ($0.name, CodecID.cea608) }
            + services(of: parser.triplets).map { ($0.name, .cea708) }
        return (names.isEmpty ? [(CEA608Service.cc1.name, .cea608)] : names).enumerated()
            .map { index, entry in
                var stream = StreamDescription(
                    index: index, kind: .text, codec: entry.1,
                    language: parser.languages[entry.0])
                stream.service = entry.0
                return stream
            }
    }

    /// The services of DTVCC that triplets have characters of.
    private static func services(of triplets: [UInt8]) -> [CEA708Service] {
        var assembler = DTVCCAssembler()
        var numbers: Set<Int> = []
        func look(_ packet: DTVCCPacket) {
            for block in packet.blocks.all where !numbers.contains(block.service) {
                var rest = block.data
                while let (code, length) = CEA708Code.first(of: rest) {
                    if case .character(let character?) = code, character != " " {
                        numbers.insert(block.service)
                        break
                    }
                    rest = rest.dropFirst(length)
                }
            }
        }
        for triplet in CaptionTriplet.all(in: triplets) { assembler.add(triplet).forEach(look) }
        if let last = assembler.finish() { look(last) }
        return numbers.sorted().compactMap { CEA708Service($0) }
    }
}
