internal import Undertext
internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO
internal import UndertextPNG
internal import UndertextRendering

/// Answers the questions of the inspector's page: the description of the inputs, cues, images, losses, exports.
final class Inspector: Sendable {
    let inputs: [InspectedInput]
    let options: Media.Options
    private let rows = Monitor<(key: RowKey, rows: [CueRow])?>(nil)
    let losses = Monitor<[LossKey: JSON]>([:])
    let lossyCues = Monitor<[(key: LossyKey, orders: Set<Int>)]>([])

    /// The parameters of a list of rows, by which it is kept.
    private struct RowKey: Hashable {
        let input: Int
        let track: Int
        let revision: Int
        let beside: [Int]
        let shift: Duration
        let query: CueList.Query
        let filter: CueList.Filter?
        let format: String
    }

    struct LossKey: Hashable {
        let input: Int
        let track: Int
        let revision: Int
    }

    struct LossyKey: Hashable {
        let track: LossKey
        let format: String
    }

    /// The number of answers of a kind that are kept.
    static let keptAnswers = 4

    /// The cues of one answer.
    static let rowLimit = 500

    init(_ arguments: [String], _ options: Media.Options) {
        self.options = options
        let files = InputFiles.ofThisRun ?? InputFiles()
        inputs = arguments.map { InspectedInput($0, options, files) }
    }

    // MARK: Description

    /// All inputs as `probe` describes them, and what this build can do.
    func overview() -> JSON {
        .object([
            .init("version", .string(undertextVersion)),
            .init("canDraw", .bool(OverlayRenderer.isAvailable)),
            .init("canRecognize", .bool(RecognitionOptions.isAvailable)),
            .init("folder", .string(FileSystem.canonical(".") ?? "")),
            .init(
                "inputs",
                .array(
                    inputs.map { input in
                        let state = input.state.with { $0 }
                        var members: [JSON.Member] = [
                            .init(
                                "name", .string(withoutSecrets(PathName.baseName(input.argument)))),
                            .init("open", .bool(state.isOpen)),
                            .init("hasVideo", .bool(state.hasVideo)),
                            .init(
                                "media",
                                .optional(
                                    input.playableFile == nil
                                        ? nil
                                        : state.report.flatMap {
                                            PlayableType.type(of: $0.container)
                                        })),
                            .init("duration", state.duration.map(JSON.seconds) ?? .null),
                            .init(
                                "diagnostics",
                                .array(state.diagnostics.map(JSONCueRecord.diagnostic))),
                        ]
                        if let failure = state.failure {
                            members.append(
                                .init(
                                    "probe",
                                    ProbeReport.json(failure: failure, input: input.argument)))
                        } else if let report = state.report {
                            members.append(.init("probe", report.json))
                        }
                        return .object(members)
                    })),
        ])
    }

    /// The reading of the tracks so far.
    func progress() -> JSON {
        .object([
            .init(
                "inputs",
                .array(
                    inputs.map { input in
                        let state = input.state.with { $0 }
                        return .object([
                            .init("open", .bool(state.isOpen)),
                            .init("failure", .optional(state.failure?.summary)),
                            .init("tracks", .array(state.tracks.map(Self.progress))),
                        ])
                    }))
        ])
    }

    private static func progress(_ track: InspectedInput.Track) -> JSON {
        let table = track.table
        let severities: [Diagnostic.Severity] = [.error, .warning, .info]
        var formats = textFormats(of: track).map { format($0, isFile: true) }
        for one in track.formats {
            let isFile =
                !one.makesFolder(of: track.stream.kind) && TextFormat(one) != nil
                && track.stream.kind == .text
            formats.append(format(one, isFile: isFile))
        }
        let canvas: JSON? = (table.canvas ?? track.header.canvas).map {
            .array([.integer($0.width), .integer($0.height)])
        }
        let counts = severities.map {
            JSON.Member($0.rawValue, .integer(track.counts[$0] ?? 0))
        }
        var members: [JSON.Member] = [
            .init("track", .integer(track.stream.index)),
            .init("phase", .string(track.phase.rawValue)),
            .init("failure", .optional(track.failure)),
            .init("progress", track.progress.map(JSON.decimal) ?? .null),
            .init("revision", .integer(table.revision)),
            .init("cues", .integer(table.entries.count)),
        ]
        members += [
            .init("first", table.entries.first.map { .seconds($0.start) } ?? .null),
            .init("last", table.last.map(JSON.seconds) ?? .null),
            .init("forced", .integer(table.forcedCount)),
            .init("overlaps", .integer(table.overlapCount)),
            .init("canvas", canvas ?? .null),
            .init("diagnostics", .object(counts)),
            .init("formats", .array(formats)),
            .init("corrected", .integer(table.originals.changed.count)),
            .init("unsaved", .integer(track.unsaved)),
            .init("exported", .bool(track.isExported)),
            .init("undoable", .integer(table.originals.steps.count)),
            .init("changes", .integer(table.originals.stepCount)),
        ]
        let recognition = track.recognition.map { Self.recognition($0, of: track) }
        members.append(.init("recognition", recognition ?? .null))
        return .object(members)
    }

    private static func format(_ format: SubtitleFormat, isFile: Bool) -> JSON {
        .object([
            .init("name", .string(format.name)), .init("title", .string(format.title)),
            .init("isFile", .bool(isFile)),
        ])
    }

    /// The diagnostics of a track, the first ones.
    func diagnostics(_ input: InspectedInput, _ track: InspectedInput.Track) -> JSON {
        .object([
            .init("total", .integer(track.counts.values.reduce(0, +))),
            .init("diagnostics", .array(track.diagnostics.map(JSONCueRecord.diagnostic))),
        ])
    }

    /// The coverage of a part of the timeline.
    func timeline(
        _ track: InspectedInput.Track, from: Timestamp, until: Timestamp, parts: Int
    ) -> JSON {
        let coverage = track.table.coverage(from: from, until: until, parts: parts)
        let marks = track.diagnostics.compactMap { diagnostic -> JSON? in
            guard diagnostic.severity != .info, let time = diagnostic.time, time >= from,
                time < until
            else { return nil }
            return .seconds(time)
        }
        return .object([
            .init("revision", .integer(track.table.revision)),
            .init("coverage", .array(coverage.percent.map(JSON.integer))),
            .init("forced", .array(coverage.forced.map(JSON.integer))),
            .init("overlaps", .array(coverage.overlaps.map(JSON.integer))),
            .init(
                "gaps",
                .array(
                    coverage.gaps.map {
                        .array([.seconds($0.lowerBound), .seconds($0.upperBound)])
                    }
                )),
            .init("diagnostics", .array(Array(marks.prefix(500)))),
        ])
    }

    // MARK: Cues

    /// The part of a list that a page shows.
    struct CueRequest {
        var from = 0
        var count = 100
        /// The time whose row is wanted; the answer then begins shortly before it.
        var time: Timestamp?
        var query = CueList.Query("")
        var filter: CueList.Filter?
        /// The input and the track that are shown beside the cues.
        var beside: (input: Int, track: Int)?
        /// The offset of the track, for the alignment with the other one.
        var shift = Duration.zero
        /// The order of the cue whose row is wanted, instead of a time.
        var order: Int?
        /// The format of the filter for losses.
        var format = ""
    }

    /// The rows of a list.
    func cues(
        _ input: Int, _ track: InspectedInput.Track, _ request: CueRequest
    ) throws(UndertextError) -> JSON {
        let other = request.beside.flatMap { beside in
            inputs.indices.contains(beside.input) ? inputs[beside.input].track(beside.track) : nil
        }
        let stream = track.stream.index
        inputs[input].state.with { $0.preferred = stream }
        let key = RowKey(
            input: input, track: stream, revision: track.table.revision,
            beside: request.beside.flatMap { beside in
                other.map { [beside.input, beside.track, $0.table.revision] }
            } ?? [],
            shift: other == nil ? .zero : request.shift, query: request.query,
            filter: request.filter, format: request.filter == .losses ? request.format : "")
        let known = rows.with { $0.flatMap { $0.key == key ? $0.rows : nil } }
        let rows: [CueRow]
        if let known {
            rows = known
        } else {
            rows = try self.rows(input, track, beside: other, request)
            self.rows.with { $0 = (key, rows) }
        }
        var from = min(max(0, request.from), rows.count)
        var found: Int?
        if let time = request.time {
            var position = 0
            if let order = request.order, let index = Self.row(of: order, in: rows, track) {
                position = index
            } else if request.filter != .doubtful {
                position = self.position(of: time, in: rows, track, other, request.shift)
            }
            found = position
            from = max(0, position - request.count / 2)
        }
        let part = rows[from..<min(rows.count, from + min(request.count, Self.rowLimit))]
        return .object([
            .init("total", .integer(rows.count)),
            .init("from", .integer(from)),
            .init("position", found.map { .integer($0) } ?? .null),
            .init("revision", .integer(track.table.revision)),
            .init("complete", .bool(track.phase == .complete || track.phase == .failed)),
            .init(
                "rows",
                .array(
                    part.map { row in
                        .object([
                            .init("cue", record(Int(row.first), of: track)),
                            .init(
                                "beside", other.map { record(Int(row.second), of: $0) } ?? .null),
                        ])
                    })),
        ])
    }

    private static func row(
        of order: Int, in rows: [CueRow], _ track: InspectedInput.Track
    ) -> Int? {
        rows.firstIndex { $0.first >= 0 && track.table.entries[Int($0.first)].order == order }
    }

    private func rows(
        _ input: Int, _ track: InspectedInput.Track, beside other: InspectedInput.Track?,
        _ request: CueRequest
    ) throws(UndertextError) -> [CueRow] {
        let table = track.table
        var rows = other.map { table.rows(beside: $0.table, shift: request.shift) } ?? table.rows
        guard request.filter != nil || !request.query.isEmpty else { return rows }
        let times =
            request.filter == .diagnostics
            ? track.diagnostics.compactMap { $0.severity == .info ? nil : $0.time }.sorted() : []
        let lossy =
            request.filter == .losses ? try lossyOrders(input, track, as: request.format) : []
        rows.removeAll { row in
            let own = row.first >= 0 ? table.entries[Int(row.first)] : nil
            let second = row.second >= 0 ? other?.table.entries[Int(row.second)] : nil
            let matches =
                own.map { table.contains(request.query, in: $0) } == true
                || second.map { other?.table.contains(request.query, in: $0) == true } == true
            guard matches else { return true }
            switch request.filter {
            case nil: return false
            case .forced: return own?.isForced != true
            case .overlaps: return own?.overlaps != true
            case .diagnostics: return !(own.map { Self.holds($0, oneOf: times) } ?? false)
            case .doubtful: return own?.isDoubtful != true
            case .losses: return !(own.map { lossy.contains(Int($0.order)) } ?? false)
            case .corrected: return !(own.map(table.isCorrected) ?? false)
            }
        }
        if request.filter == .doubtful {
            rows.sort { left, right in
                let (first, second) = (Int(left.first), Int(right.first))
                return (table.entries[first].confidence ?? .max, first)
                    < (table.entries[second].confidence ?? .max, second)
            }
        }
        return rows
    }

    /// Returns `true` if one of the times, which are in order, is within a cue.
    private static func holds(_ entry: CueList.Entry, oneOf times: [Timestamp]) -> Bool {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] < entry.start { low = middle + 1 } else { high = middle }
        }
        return low < times.count && times[low] < entry.end
    }

    /// The row at a time: the last one that begins at or before it.
    private func position(
        of time: Timestamp, in rows: [CueRow], _ track: InspectedInput.Track,
        _ other: InspectedInput.Track?, _ shift: Duration
    ) -> Int {
        let start = { (row: CueRow) -> Timestamp in
            if row.first >= 0 {
                return track.table.entries[Int(row.first)].start.advanced(by: shift)
            }
            return other?.table.entries[Int(row.second)].start ?? .zero
        }
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if start(rows[middle]) <= time { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }

    /// A cue with the names of JSON cues; its layout and its markup are left out.
    func record(_ index: Int, of track: InspectedInput.Track) -> JSON {
        guard index >= 0 else { return .null }
        let table = track.table
        let entry = table.entries[index]
        var members: [JSON.Member] = [
            .init("order", .integer(entry.order)),
            .init("start", .seconds(entry.start)),
            .init("end", .seconds(entry.end)),
            .init("endSource", .string(entry.endSource.rawValue)),
            .init("forced", .bool(entry.isForced)),
            .init("overlaps", .bool(entry.overlaps)),
            .init("layer", .integer(entry.layer)),
        ]
        if entry.imageCount > 0 {
            let images = table.images(of: entry).map { image in
                JSON.object([
                    .init("x", .integer(image.x)), .init("y", .integer(image.y)),
                    .init("width", .integer(image.width)), .init("height", .integer(image.height)),
                ])
            }
            members.append(.init("images", .array(images)))
        }
        if entry.imageCount == 0 || entry.confidence != nil {
            members.append(
                .init(
                    "text", .string(String(table.text(of: entry).prefix(CueCorrection.textLimit)))))
        }
        if track.stream.kind == .text {
            members.append(.init("editable", .bool(table.isTextEditable(entry))))
        }
        if table.isCorrected(entry) { members.append(.init("corrected", .bool(true))) }
        if let confidence = entry.confidence {
            members.append(.init("confidence", .integer(confidence)))
            members.append(.init("doubtful", .bool(entry.isDoubtful)))
            members.append(.init("reviewed", .bool(entry.isReviewed)))
        }
        return .object(members)
    }

    /// An image of a cue as PNG.
    func image(
        _ index: Int, of order: Int, _ input: InspectedInput, _ track: InspectedInput.Track
    ) throws(UndertextError) -> [UInt8] {
        guard let (entry, rank) = track.table.entry(order: order) else {
            throw UndertextError(
                .notFound, "there is no such cue", path: input.argument,
                streamIndex: track.stream.index)
        }
        return try input.onDemand.image(
            index, ofTrack: track.stream.index, order: order, start: entry.start, rank: rank)
    }

    /// A duration of seconds, at most a day.
    static func duration(_ seconds: Double) -> Duration {
        guard seconds.isFinite else { return .zero }
        return .nanoseconds(Int64((min(max(seconds, -86_400), 86_400) * 1e9).rounded()))
    }

    // MARK: Picture

    /// The request for the screen of a player at a time.
    struct PictureRequest {
        var time = Timestamp.zero
        var track: (input: Int, track: Int)?
        /// A second track, drawn at the top.
        var second: (input: Int, track: Int)?
        var shift = Duration.zero
        /// The maximum width in pixels.
        var width = 1280
        var style = SubtitleStyle()
    }

    /// The frame of the video of an input with the subtitles of a track, as PNG; the subtitles alone without a video.
    func picture(_ input: InspectedInput, _ request: PictureRequest) throws(UndertextError)
        -> [UInt8]
    {
        let state = input.state.with { $0 }
        let first = try content(request.track, at: request.time.advanced(by: .zero - request.shift))
        let second = try content(request.second, at: request.time)
        var geometry: OverlayGeometry
        var frame: [UInt8]?
        if state.hasVideo {
            let found = try input.onDemand.frame(at: request.time, within: request.width)
            geometry = found.geometry
            frame = found.rgba
        } else {
            let base = first.map(Self.canvas) ?? PixelSize(width: 1920, height: 1080)
            let height = max(1, request.width * base.height / max(1, base.width))
            geometry = OverlayGeometry(
                video: base, output: PixelSize(width: request.width, height: min(8192, height)))
        }
        let renderer = try OverlayRenderer(
            first.map { Self.moved($0, by: request.shift) } ?? OverlayContent(), second: second,
            geometry: geometry, style: request.style, secondStyle: request.style)
        let overlay = try renderer.overlay(at: request.time)
        let pixels = frame.flatMap { overlay.laid(over: $0, at: geometry.image) }
        do throws(PNGError) {
            return try PNGEncoder.encodeRGBA(
                width: overlay.width, height: overlay.height, rgba: pixels ?? overlay.straightRGBA)
        } catch {
            throw UndertextError(.io, "the image cannot be written as PNG", underlying: "\(error)")
        }
    }

    private func content(
        _ track: (input: Int, track: Int)?, at time: Timestamp
    ) throws(UndertextError) -> OverlayContent? {
        guard let track, inputs.indices.contains(track.input) else { return nil }
        let input = inputs[track.input]
        if let state = input.track(track.track), state.stream.kind == .text, state.isCorrected,
            var document = try textDocument(input, state)
        {
            document.cues.removeAll { time < $0.start || time >= $0.end }
            return try input.onDemand.content(.text(document))
        }
        return try input.onDemand.content(ofTrack: track.track, at: time)
    }

    private static func moved(_ content: OverlayContent, by shift: Duration) -> OverlayContent {
        var content = content
        let document = SubtitleDocument(header: content.header, cues: content.cues)
        content.cues = document.moved(by: Retiming(shift: shift)).cues
        return content
    }

    private static func canvas(_ content: OverlayContent) -> PixelSize {
        for cue in content.cues {
            if case .images(let images) = cue.content, let canvas = images.canvas { return canvas }
        }
        guard content.header.codec.isScript == false, let canvas = content.header.canvas else {
            return PixelSize(width: 1920, height: 1080)
        }
        return canvas
    }
}
