internal import Undertext
internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO

/// The extraction that a command line of ffmpeg describes.
///
/// All outputs are complete before the first one is written: until then the real program can still take over.
struct FFmpegJob {
    private let command: FFmpegArguments
    private let media: Media
    /// The track and the form of each output.
    private let plans: [Plan]
    /// The time that ffmpeg subtracts, in microseconds.
    private let offset: Int64
    private let clock = ContinuousClock()
    private let begin: ContinuousClock.Instant

    private struct Plan {
        var output: FFmpegArguments.Output
        var track: SubtitleTrack
        /// `true` if packets are written as they are.
        var isCopy: Bool
    }

    /// Opens the input and selects the streams; `nil` if anything about them is ffmpeg's to handle or to report.
    init?(_ command: FFmpegArguments) {
        begin = clock.now
        self.command = command
        guard (try? FileKind(of: command.input)) == .regular,
            command.outputs.allSatisfy({ Self.mayWrite($0, command) })
        else { return nil }
        var options = Media.Options()
        options.timeline = .source
        guard let media = try? Media(.file(command.input), options: options),
            let streams = Self.streams(of: media)
        else { return nil }
        self.media = media
        var plans: [Plan] = []
        for output in command.outputs {
            guard let stream = output.select(from: streams),
                let isCopy = output.isCopy(of: stream.codec),
                let track = try? media.subtitleTrack(id: stream.index)
            else { return nil }
            plans.append(Plan(output: output, track: track, isCopy: isCopy))
        }
        self.plans = plans
        if command.copiesTimestamps || media.isTextFile {
            offset = 0
        } else {
            guard let probed = try? media.probedDescription() else { return nil }
            offset = probed.startTime ?? 0
        }
    }

    /// `true` if writing replaces nothing that ffmpeg would ask about, and no link or device.
    private static func mayWrite(
        _ output: FFmpegArguments.Output, _ command: FFmpegArguments
    ) -> Bool {
        guard case .file(let path) = output.target else { return true }
        guard FileSystem.exists(path) else {
            return FileSystem.isDirectory(PathName.directoryName(path))
        }
        return command.replaces && (try? FileKind(of: path)) == .regular
            && !FileSystem.isSameFile(path, command.input)
    }

    /// The streams as libavformat numbers them; `nil` for containers that are not compared with it.
    private static func streams(of media: Media) -> [StreamDescription]? {
        let container = media.description
        let isKnown =
            [.matroska, .mp4, .mov, .mpegTS].contains(container.fileFormat)
            || media.isTextFile && ["srt", "ass"].contains(container.formatName)
        // ffmpeg detects no charset but by a byte order mark.
        if media.isTextFile, ![.valid, .byteOrderMark, nil].contains(media.charset?.source) {
            return nil
        }
        // Services within video are no streams of libavformat.
        return isKnown ? container.streams.filter { $0.carrier == nil } : nil
    }

    /// Extracts all outputs and prints what ffmpeg prints at its end.
    ///
    /// - Returns: `false` if ffmpeg has to do it: no new file exists then, and ffmpeg replaces those that existed.
    func perform() -> Bool {
        guard let packets = try? packets(),
            let contents = try? plans.map({ plan throws(UndertextError) in
                try self.contents(of: plan, packets[plan.track.id] ?? [])
            })
        else { return false }
        do throws(UndertextError) {
            try write(contents)
        } catch {
            return false
        }
        report(contents.reduce(0) { $0 + $1.count }, packets)
        return true
    }

    /// Writes the contents of the outputs, those of files first, since only they can be taken back.
    ///
    /// - Throws: If an output cannot be written. New files are removed then: ffmpeg would ask about them.
    private func write(_ contents: [[UInt8]]) throws(UndertextError) {
        var new: [String] = []
        do throws(UndertextError) {
            for (plan, bytes) in zip(plans, contents) {
                guard case .file(let path) = plan.output.target else { continue }
                if !FileSystem.exists(path) { new.append(path) }
                try FileSystem.write(bytes, to: path)
            }
            for (plan, bytes) in zip(plans, contents) where plan.output.target == .standardOutput {
                let output = StandardOutput()
                try output.write(bytes[...])
                try output.flush()
            }
        } catch {
            for path in new { _ = FileSystem.removeFile(path) }
            throw error
        }
    }

    /// The packets of all tracks on ffmpeg's clock, read in one pass.
    private func packets() throws(UndertextError) -> [Int: [Packet]] {
        var tracks: [Int: SubtitleTrack] = [:]
        for plan in plans { tracks[plan.track.id] = plan.track }
        let reader = try media.packetReader(of: tracks.values.sorted { $0.id < $1.id })
        var result: [Int: [Packet]] = [:]
        while var packet = try reader.nextPacket() {
            guard let moved = moved(packet) else { throw Self.handedOver }
            packet = moved
            result[packet.streamIndex, default: []].append(packet)
        }
        guard reader.takeDiagnostics().allSatisfy({ $0.severity == .info }) else {
            throw Self.handedOver
        }
        return result
    }

    /// The packet with the start of the input at zero; `nil` if its times are ffmpeg's to guess.
    private func moved(_ packet: Packet) -> Packet? {
        guard let pts = packet.pts, !packet.isCorrupt else { return nil }
        var moved = packet
        // libavformat gives subtitles without a decoding time that of their presentation.
        moved.dts = packet.dts ?? pts
        guard offset != 0 else { return pts >= 0 ? moved : nil }
        let start = Timestamp(ticks: offset, timeBase: .microseconds)
        guard let shift = start?.ticks(in: packet.timeBase) else { return nil }
        let (time, overflow) = pts.subtractingReportingOverflow(shift)
        // ffmpeg moves all streams if the first time is negative.
        guard !overflow, time >= 0 else { return nil }
        moved.pts = time
        moved.dts = moved.dts.map { $0 &- shift }
        return moved
    }

    /// The bytes of an output.
    private func contents(of plan: Plan, _ packets: [Packet]) throws(UndertextError) -> [UInt8] {
        let found = DiagnosticSink()
        var bytes: [UInt8]
        if plan.isCopy {
            bytes =
                try plan.output.format == .sup
                ? sup(of: packets) : copy(of: plan, packets, found)
        } else {
            guard let format = TextFormat(plan.output.format == .srt ? .subRip : .webVTT) else {
                throw Self.handedOver
            }
            bytes = try plan.track.textDocument(of: packets, diagnostics: found)
                .encoded(as: format).bytes
        }
        guard found.take().allSatisfy({ $0.severity != .error }) else { throw Self.handedOver }
        return bytes
    }

    /// The packets of a PGS track as ffmpeg's muxer writes them: with the decoding time, which other programs ignore.
    private func sup(of packets: [Packet]) throws(UndertextError) -> [UInt8] {
        var bytes: [UInt8] = []
        for packet in packets {
            guard let pts = packet.start?.ticks(in: .mpeg),
                let dts = packet.dts.flatMap({ Timestamp(ticks: $0, timeBase: packet.timeBase) })?
                    .ticks(in: .mpeg)
            else { throw Self.handedOver }
            var rest = packet.data[...]
            while !rest.isEmpty {
                // Type and length, then the payload of a segment.
                guard rest.count >= 3 else { throw Self.handedOver }
                let length = Int(rest[rest.startIndex + 1]) << 8 | Int(rest[rest.startIndex + 2])
                guard rest.count >= 3 + length else { throw Self.handedOver }
                bytes += [UInt8(ascii: "P"), UInt8(ascii: "G")]
                for time in [pts, dts] {
                    bytes += (0..<4).map { UInt8(truncatingIfNeeded: time >> (24 - 8 * $0)) }
                }
                bytes += rest.prefix(3 + length)
                rest = rest.dropFirst(3 + length)
            }
        }
        return bytes
    }

    private func copy(
        of plan: Plan, _ packets: [Packet], _ found: DiagnosticSink
    ) throws(UndertextError) -> [UInt8] {
        let format = SubtitleFormat(codec: plan.track.codec)
        guard
            var writer = format?.packetWriter?(plan.track.stream, PacketWriterOptions(), found),
            writer.fileExtensions.count == 1
        else { throw Self.handedOver }
        var buffers: [[UInt8]] = [[]]
        writer.begin(into: &buffers)
        for packet in packets {
            // Without an end ffmpeg writes what the muxer makes of it.
            guard packet.duration ?? 0 > 0 else { throw Self.handedOver }
            writer.write(packet, into: &buffers)
        }
        writer.finish(into: &buffers)
        return buffers[0]
    }

    /// The reason to leave the work to ffmpeg; it is not reported.
    private static let handedOver = UndertextError(.unsupported, "ffmpeg does it")

    /// Prints the line with which ffmpeg's statistics end.
    private func report(_ size: Int, _ packets: [Int: [Packet]]) {
        guard command.statistics == true || command.logLevel >= 32 else { return }
        let ends = packets.values.joined().compactMap { $0.end ?? $0.start }
        let elapsed = begin.duration(to: clock.now)
        let statistics = FFmpegStatistics(
            bytes: size, time: ends.max() ?? .zero, elapsed: elapsed)
        StandardError.write(statistics.line + "\n")
    }
}

extension FFmpegArguments.Output {
    /// The stream that ffmpeg writes; `nil` if there is none, or several.
    fileprivate func select(from streams: [StreamDescription]) -> StreamDescription? {
        let subtitles = streams.filter(\.kind.isSubtitle)
        switch stream {
        case .index(let index): return subtitles.first { $0.index == index }
        case .subtitle(let position?):
            return subtitles.indices.contains(position) ? subtitles[position] : nil
        case .subtitle(nil): return subtitles.count == 1 ? subtitles[0] : nil
        case .language(let language):
            let matching = subtitles.filter { stream in
                stream.tags.contains { $0.key == "language" && $0.value == language }
            }
            return matching.count == 1 ? matching[0] : nil
        case nil:
            // A stated encoder takes the first stream, the encoder of the format the first one of its kind.
            if statesEncoder { return subtitles.first }
            return format == .sup ? nil : subtitles.first { $0.kind == .text }
        }
    }

    /// `true` if packets of this codec are written as they are, `false` if they are converted; `nil` if that is not
    /// done here.
    fileprivate func isCopy(of codec: CodecID) -> Bool? {
        switch (encoder, format, codec) {
        case (.copy, .srt, .subRip), (.copy, .sup, .pgs), (.copy, .ass, .ass): true
        // Decoding ASS and encoding it as ASS changes nothing.
        case (.ass, .ass, .ass), (nil, .ass, .ass): true
        // WebVTT as a source is not here: FFmpeg 5.1 fails on some of it, and writes ruby text twice.
        case (.srt, .srt, .subRip), (.srt, .srt, .ass), (.srt, .srt, .movText): false
        case (nil, .srt, .subRip), (nil, .srt, .ass), (nil, .srt, .movText): false
        case (.webvtt, .webvtt, .subRip), (.webvtt, .webvtt, .ass), (.webvtt, .webvtt, .movText):
            false
        case (nil, .webvtt, .subRip), (nil, .webvtt, .ass), (nil, .webvtt, .movText): false
        default: nil
        }
    }
}

/// The progress lines that ffmpeg prints.
struct FFmpegStatistics {
    /// The size of all outputs.
    var bytes: Int
    /// The time that was reached in them.
    var time: Timestamp
    /// The time that it took.
    var elapsed: Duration

    /// The line in the form that programs parse: `size=  12kB time=00:01:02.00 bitrate=…kbits/s speed=…x`.
    var line: String {
        let seconds = Double(time.nanoseconds) / 1e9
        let taken = max(Double(elapsed.nanoseconds128) / 1e9, 1e-6)
        let rate = seconds > 0 ? Double(bytes) * 8 / seconds / 1000 : 0
        let size = "\(bytes / 1024)"
        let clock = Int(seconds * 100)
        let parts = [clock / 360_000, clock / 6000 % 60, clock / 100 % 60, clock % 100].map {
            $0 < 10 ? "0\($0)" : "\($0)"
        }
        let time = parts[..<3].joined(separator: ":") + "." + parts[3]
        let speed = Int(seconds / taken)
        return "size=\(Self.padded(size, 8))kB time=\(time) "
            + "bitrate=\(Self.padded(Self.tenths(rate), 6))kbits/s speed=\(Self.padded("\(speed)", 4))x    "
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    private static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}
