internal import Undertext
internal import UndertextChecks
internal import UndertextCore
internal import UndertextFormats

/// Writes the repaired cues of a track.
///
/// If the format stays and each packet has one cue, packets are written as they are stored, with their comments and
/// settings; otherwise the cues are encoded.
struct FixedSubtitle {
    /// The format that is written.
    let format: SubtitleFormat
    private let read: CheckedTrack
    private let track: SubtitleTrack

    /// Decides how a track is written.
    ///
    /// - Parameters:
    ///   - read: The cues of the track.
    ///   - track: The track.
    ///   - format: The format of the output; `nil` for that of the track.
    /// - Throws: `UndertextError` with code `unsupported` if the track has images, or its format cannot be written.
    init(
        _ read: CheckedTrack, track: SubtitleTrack, format: SubtitleFormat?
    ) throws(UndertextError) {
        guard track.kind == .text else {
            throw UndertextError(
                .unsupported, "the track has images, which --fix does not write",
                streamIndex: track.id)
        }
        let own = track.format?.native
        guard let target = format ?? own, target.takes.contains(.text), !target.isRecords else {
            throw UndertextError(
                .unsupported,
                "the format \(track.codec.rawValue) cannot be written; name the output with another extension",
                streamIndex: track.id)
        }
        self.format = target
        self.read = read
        self.track = track
    }

    /// The unit of times in the output.
    var timeUnit: Duration {
        format.codecs.contains(.ass) || format.codecs.contains(.ssa)
            ? .milliseconds(10) : .milliseconds(1)
    }

    /// The repaired file, and what its format cannot represent.
    struct Encoded {
        var bytes: [UInt8]
        var losses = ConversionLosses()
        var diagnostics: [Diagnostic] = []
    }

    /// Encodes the repaired cues.
    func encoded(_ result: CueFixer.Result) throws(UndertextError) -> Encoded {
        if let copied = copied(result) { return copied }
        let cues = Dictionary(read.cues.map { ($0.number, $0.cue) }) { first, _ in first }
        var changed: [Cue] = []
        for fixed in result.cues {
            guard var cue = cues[fixed.number] else { continue }
            cue.order = changed.count
            cue.end = fixed.end
            if fixed.needsTags { cue.source = nil }
            changed.append(cue)
        }
        guard let target = TextFormat(format) else {
            throw UndertextError(.unsupported, "\(format.title) cannot be written")
        }
        let document = TextDocument(header: read.header, cues: changed)
        let encoded = document.encoded(as: target)
        return Encoded(
            bytes: encoded.bytes, losses: encoded.losses, diagnostics: encoded.diagnostics)
    }

    /// The packets with other ends and in another order; `nil` if they cannot be copied.
    private func copied(_ result: CueFixer.Result) -> Encoded? {
        guard let packets = read.packets, format == track.format?.native,
            format.takes.contains(.text)
        else { return nil }
        let sink = DiagnosticSink()
        guard
            var writer = SubtitleFormat.packetWriter(of: track.stream, diagnostics: sink),
            writer.fileExtensions.count == 1
        else { return nil }
        let stored = Dictionary(packets.map { ($0.number, $0.packet) }) { first, _ in first }
        let cues = Dictionary(read.cues.map { ($0.number, $0.cue) }) { first, _ in first }
        var output: [[UInt8]] = [[]]
        writer.begin(into: &output)
        for fixed in result.cues {
            guard var packet = stored[fixed.number], let cue = cues[fixed.number] else { continue }
            // Times that stay are written as they are stored.
            if fixed.end != cue.end, let start = packet.start {
                let duration = Timestamp(
                    nanoseconds: Int64(
                        clamping: start.duration(to: fixed.end).nanoseconds128))
                packet.duration = duration.ticks(in: packet.timeBase)
            }
            if fixed.needsTags { packet.data = rewritten(cue) ?? packet.data }
            writer.write(packet, into: &output)
        }
        writer.finish(into: &output)
        let kept = Set(result.cues.map(\.number))
        let lost = packets.filter { !kept.contains($0.number) }.reduce(read.lostComments) {
            $0 + $1.packet.commentCount
        }
        if lost > 0 {
            sink.report(
                .warning, "comments-left-out",
                "\(lost) \(lost == 1 ? "comment" : "comments") of removed cues were left out")
        }
        return Encoded(bytes: output[0], diagnostics: sink.take())
    }

    /// The text of a cue with tags that the encoder writes, as its packet has it.
    private func rewritten(_ cue: Cue) -> [UInt8]? {
        var cue = cue
        cue.source = nil
        guard let target = TextFormat(format) else { return nil }
        let bytes = TextDocument(header: read.header, cues: [cue]).encoded(as: target).bytes
        let reader = format.reader(of: bytes, diagnostics: DiagnosticSink())
        return (try? reader?.nextPacket())?.data
    }
}
