package import UndertextCore

/// Reads an EBU STL file (EBU Tech 3264-E) as packets: the TTI blocks of one subtitle each.
///
/// `Documentation/Formats/EBUSTL.md` says what is repaired.
package final class EBUSTLFileReader: TextFileReader {
    /// The sink of diagnostics.
    package let diagnostics: DiagnosticSink
    /// The one stream of the file; its private data is the GSI block.
    package let stream: StreamDescription
    /// The texts of the header.
    package let tags: [MetadataTag]
    /// The time code at which the program starts, if no subtitle comes before it.
    package private(set) var programStart: Timestamp?

    private let bytes: [UInt8]
    private let subtitles: [EBUSTLSubtitle]
    private let timeBase: TimeBase
    private let packetSize: Int
    private var next = 0

    /// Takes apart the bytes of a file.
    package convenience init(
        _ bytes: [UInt8], limits: Limits, diagnostics: DiagnosticSink = .init()
    ) {
        self.init(bytes, limits: limits, frameRate: nil, diagnostics: diagnostics)
    }

    /// Takes apart the bytes of a file, whose time codes count frames of that rate; `nil` = as the file states it.
    init(_ bytes: [UInt8], limits: Limits, frameRate: TimeBase?, diagnostics: DiagnosticSink) {
        self.bytes = bytes
        self.diagnostics = diagnostics
        packetSize = limits.packetSize
        let header = EBUSTLHeader(bytes)
        let stated = frameRate.flatMap { $0.isValid ? $0 : nil } ?? header.frameRate
        let rate = stated ?? TimeBase(25, 1)
        if stated == nil {
            diagnostics.report(
                .warning, "frame-rate-assumed",
                "the header states no known frame rate: time codes are counted with 25 frames a second",
                streamIndex: 0)
        }
        timeBase = TimeBase(rate.denominator, rate.numerator)
        let frames = (Int64(rate.numerator) + Int64(rate.denominator) - 1) / Int64(rate.denominator)
        subtitles =
            EBUSTLParser(bytes, rate: frames, limits: limits, diagnostics: diagnostics).subtitles
        tags = header.tags
        var stream = StreamDescription(
            index: 0, kind: .text, codec: .ebuSTL, language: header.language,
            title: tags.first { $0.key == "title" }?.value)
        stream.codecPrivate = Array(bytes.prefix(EBUSTLHeader.size))
        self.stream = stream
        if header.characters == nil {
            diagnostics.report(
                .warning, "unknown-characters",
                "the header has no known character code table; text is read as Latin",
                streamIndex: 0)
        }
        let programStart = header.programStart(rate: frames)?.frame
        if programStart == nil, header.statesProgramStart {
            diagnostics.report(
                .warning, "programme-start",
                "the header states an invalid start of the program: times count from zero",
                streamIndex: 0)
        }
        if let start = programStart, start > 0,
            let first = subtitles.lazy.map(\.start).min()
        {
            if first >= start {
                self.programStart = Timestamp(ticks: start, timeBase: timeBase)
            } else {
                diagnostics.report(
                    .info, "programme-start",
                    "subtitles come before the start of the program that the header states: "
                        + "times count from zero", streamIndex: 0)
            }
        }
    }

    /// Bytes of the file that have been taken apart.
    package var position: Int {
        next == 0 ? 0 : (subtitles[next - 1].blocks.last ?? 0) + EBUSTLBlock.size
    }

    /// Why a file is no EBU STL; `nil` if it is.
    package static func refusal(of head: ArraySlice<UInt8>) -> String? {
        EBUSTLHeader.isSignature(head)
            ? nil
            : "it has neither a disk format code such as STL25.01 nor the other fields of a GSI block"
    }

    /// The next subtitle's packet; `nil` at the end of the file.
    package func nextPacket() throws(UndertextError) -> Packet? {
        guard next < subtitles.count else { return nil }
        let subtitle = subtitles[next]
        next += 1
        let most = max(1, packetSize / EBUSTLBlock.size)
        if subtitle.blocks.count > most {
            diagnostics.report(
                .error, "long-cue", "a subtitle has too many blocks: it is cut to \(most)",
                streamIndex: 0, byteOffset: subtitle.blocks.first.map { UInt64($0) })
        }
        let data = subtitle.blocks.prefix(most).flatMap { bytes[$0..<($0 + EBUSTLBlock.size)] }
        return Packet(
            streamIndex: 0, pts: subtitle.start, duration: subtitle.end.map { $0 - subtitle.start },
            timeBase: timeBase, position: subtitle.blocks.first.map { UInt64($0) }, data: data)
    }
}
