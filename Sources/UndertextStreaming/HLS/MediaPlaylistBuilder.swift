internal import UndertextCore

/// Goes over the lines of a media playlist and keeps what holds for the next segment.
struct MediaPlaylistBuilder {
    private let limits: StreamingLimits
    private var variables: PlaylistVariables
    private var notes: StreamingNotes
    private var duration: Timestamp?
    private var title: String?
    private var range: (count: UInt64, offset: UInt64?)?
    private var keys: [HLSKey] = []
    private var map: Int?
    private var date: Timestamp?
    private var isGap = false
    private var start = Timestamp.zero
    /// The number of the last segment.
    private var sequence: Int64 = 0
    private var discontinuity: Int64 = 0
    private var hasSegment = false
    /// The end of the previous byte range, and its resource.
    private var previous: (uri: String, end: UInt64)?

    init(url: String, imports: [String: String], limits: StreamingLimits) {
        self.limits = limits
        variables = PlaylistVariables(url: url, imports: imports, limits: limits)
        notes = StreamingNotes(limits)
    }

    /// Parses a line; `false` if the rest of the playlist is ignored.
    mutating func take(
        _ line: PlaylistLine.Kind, at index: Int, into playlist: inout MediaPlaylist
    ) throws(UndertextError) -> Bool {
        switch line {
        case .blank, .comment: return true
        case .uri(let uri): return try takeSegment(uri, index, &playlist)
        case .tag(let name, let value):
            guard !MasterPlaylist.ownTags.contains(name) else {
                throw UndertextError(
                    playlist.segments.isEmpty ? .notMedia : .malformed,
                    "line \(index + 1): a media playlist has no \(name)")
            }
            if !takeSegmentTag(name, value, index) {
                takePlaylistTag(name, value, index, &playlist)
            }
            try takeAttributes(name, value, index, &playlist)
            return true
        }
    }

    /// Records what is incomplete at the end.
    mutating func finish(_ playlist: inout MediaPlaylist) {
        if duration != nil {
            notes.add(.error, "segment-without-uri", "the last segment has no URI")
        }
        if playlist.targetDuration == nil {
            notes.add(
                .warning, "no-target-duration", "EXT-X-TARGETDURATION is missing")
        }
        playlist.diagnostics = notes.all
    }

    // MARK: Segments

    private mutating func takeSegment(
        _ text: String, _ line: Int, _ playlist: inout MediaPlaylist
    ) throws(UndertextError) -> Bool {
        defer {
            (duration, title, range, date, isGap) = (nil, nil, nil, nil, false)
        }
        guard playlist.segments.count < limits.segments else {
            notes.add(
                .error, "too-many-segments", line: line + 1,
                "more than \(limits.segments) segments: the rest is left out")
            return false
        }
        let (number, isTooLate) =
            hasSegment
            ? sequence.addingReportingOverflow(1)
            : playlist.mediaSequence.addingReportingOverflow(playlist.skippedSegments)
        guard !isTooLate else {
            notes.add(
                .error, "bad-sequence", line: line + 1,
                "the numbers of segments do not fit: the rest is left out")
            return false
        }
        sequence = number
        if !hasSegment {
            hasSegment = true
            discontinuity &+= playlist.discontinuitySequence
        }
        let uri = try MasterPlaylist.located(line) { () throws(PlaylistVariables.Failure) in
            try variables.replaced(text)
        }
        if duration == nil {
            notes.add(
                .warning, "segment-without-duration", line: line + 1,
                "a segment without EXTINF is assumed to have the target duration")
        }
        let length =
            duration.map { Timestamp.zero.duration(to: $0) } ?? playlist.targetDuration ?? .zero
        var part: ByteRange?
        if let range {
            part = resolve(range, uri)
            if part == nil {
                notes.add(
                    .error, "bad-byte-range", line: line + 1,
                    "the byte range of a segment is incomplete; the segment is a gap")
                isGap = true
            }
        } else {
            previous = nil
        }
        // A gap keeps its position, which determines the times of the segments after it.
        playlist.segments.append(
            HLSSegment(
                uri: uri, duration: length, start: start, sequence: sequence,
                discontinuity: discontinuity, title: title, range: part, programDateTime: date,
                map: map, keys: keys, isGap: isGap, line: line))
        start = start.advanced(by: length)
        return true
    }

    /// A length, and where it begins if that is not where the one before it ended.
    private mutating func resolve(
        _ range: (count: UInt64, offset: UInt64?), _ uri: String
    ) -> ByteRange? {
        guard let offset = range.offset ?? previous.flatMap({ $0.uri == uri ? $0.end : nil }),
            let count = Int(exactly: range.count), count > 0
        else { return nil }
        let (end, overflow) = offset.addingReportingOverflow(range.count)
        guard !overflow else { return nil }
        previous = (uri, end)
        return ByteRange(offset: offset, count: count)
    }

    /// A tag that holds for the next segment; `false` for others.
    private mutating func takeSegmentTag(_ name: String, _ value: [UInt8], _ line: Int) -> Bool {
        switch name {
        case "EXTINF":
            let text = String(decoding: value, as: UTF8.self)
            let comma = text.firstIndex(of: ",") ?? text.endIndex
            duration = decimalTime(text[..<comma])
            if duration == nil {
                notes.add(.warning, "bad-duration", line: line + 1, "EXTINF has no duration")
            }
            let rest = text[comma...].dropFirst()
            title = rest.isEmpty ? nil : String(rest)
        case "EXT-X-BYTERANGE":
            range = Self.range(String(decoding: value, as: UTF8.self)) ?? (0, nil)
        case "EXT-X-DISCONTINUITY": discontinuity &+= 1
        case "EXT-X-GAP": isGap = true
        case "EXT-X-PROGRAM-DATE-TIME":
            date = ISO8601.date(String(decoding: value, as: UTF8.self))
            if date == nil {
                notes.add(.warning, "bad-date", line: line + 1, "a date cannot be read")
            }
        default: return false
        }
        return true
    }

    /// `n[@o]` in bytes.
    static func range(_ text: String) -> (count: UInt64, offset: UInt64?)? {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
            .map { part in Substring(part.drop { $0 == " " }.prefix { $0 != " " }) }
        guard let count = UInt64(parts[0]) else { return nil }
        guard parts.count == 2 else { return (count, nil) }
        return UInt64(parts[1]).map { (count, $0) }
    }

    // MARK: The playlist

    private mutating func takePlaylistTag(
        _ name: String, _ value: [UInt8], _ line: Int, _ playlist: inout MediaPlaylist
    ) {
        let text = String(decoding: value, as: UTF8.self)
        func number() -> Int64? {
            Int64(Substring(text.drop { $0 == " " }.prefix { $0 != " " && $0 != "." }))
                .flatMap { $0 >= 0 ? $0 : nil }
        }
        func take(_ change: (Int64, inout MediaPlaylist) -> Void) {
            if let number = number() {
                change(number, &playlist)
            } else {
                notes.add(.warning, "bad-number", line: line + 1, "\(name) has no number")
            }
        }
        switch name {
        case "EXT-X-VERSION": take { $1.version = Int(clamping: $0) }
        case "EXT-X-TARGETDURATION": take { $1.targetDuration = .seconds(min($0, 1 << 32)) }
        case "EXT-X-MEDIA-SEQUENCE": take { $1.mediaSequence = $0 }
        case "EXT-X-DISCONTINUITY-SEQUENCE": take { $1.discontinuitySequence = $0 }
        case "EXT-X-PLAYLIST-TYPE": playlist.type = MediaPlaylist.PlaylistType(rawValue: text)
        case "EXT-X-ENDLIST": playlist.isEnded = true
        case "EXT-X-I-FRAMES-ONLY": playlist.isIFramesOnly = true
        case "EXT-X-INDEPENDENT-SEGMENTS": playlist.hasIndependentSegments = true
        default: break
        }
    }

    private mutating func takeAttributes(
        _ name: String, _ value: [UInt8], _ line: Int, _ playlist: inout MediaPlaylist
    ) throws(UndertextError) {
        guard ["EXT-X-KEY", "EXT-X-MAP", "EXT-X-DEFINE", "EXT-X-SKIP"].contains(name) else {
            return
        }
        var attributes = PlaylistAttributes(value, limits: limits)
        if name == "EXT-X-DEFINE" {
            try MasterPlaylist.located(line) { () throws(PlaylistVariables.Failure) in
                try variables.define(attributes)
            }
            return
        }
        try MasterPlaylist.located(line) { () throws(PlaylistVariables.Failure) in
            try variables.replace(in: &attributes)
        }
        switch name {
        case "EXT-X-KEY":
            if let key = HLSKey(attributes) {
                keys.removeAll { $0.format == key.format || $0.method != key.method }
                if keys.count < 16 { keys.append(key) }
            } else if attributes["METHOD"] == "NONE" {
                keys = []
            } else {
                notes.add(
                    .warning, "bad-key", line: line + 1, "EXT-X-KEY without METHOD is ignored")
            }
        case "EXT-X-MAP":
            guard let uri = attributes["URI"] else {
                notes.add(.error, "bad-map", line: line + 1, "EXT-X-MAP without URI is ignored")
                return
            }
            let part = attributes["BYTERANGE"].flatMap(Self.range).flatMap { range in
                Int(exactly: range.count).map { ByteRange(offset: range.offset ?? 0, count: $0) }
            }
            let new = HLSMap(uri: uri, range: part, keys: keys)
            if playlist.maps.last != new { playlist.maps.append(new) }
            map = playlist.maps.count - 1
        default:
            playlist.skippedSegments =
                attributes["SKIPPED-SEGMENTS"].flatMap { Int64($0) }.map { max(0, $0) } ?? 0
            notes.add(
                .warning, "delta-update", line: line + 1,
                "the playlist is a delta update that skips \(playlist.skippedSegments) segments"
            )
        }
    }
}
