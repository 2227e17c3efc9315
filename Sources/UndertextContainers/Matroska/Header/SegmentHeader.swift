internal import UndertextCore

/// Everything that the elements outside the clusters say, but for the index.
struct SegmentHeader {
    private(set) var info = SegmentInfo()
    /// The tracks that are streams, in file order.
    private(set) var tracks: [TrackEntry] = []
    /// The numbers of all tracks, also of those that are no streams.
    private(set) var trackNumbers: Set<UInt64> = []
    private(set) var tags: [SegmentTag] = []
    private(set) var attachments: [SegmentAttachment] = []
    private(set) var chapters: [SegmentChapter] = []
    private(set) var diagnostics: [Diagnostic] = []
    /// `true` if something was left out because there is too much of it.
    ///
    /// libavformat reads all of it: with a million chapters it takes a gigabyte, with a million tags minutes, since
    /// it compares each name with all before it.
    private(set) var isBeyondLimits = false
    /// Bytes of tags or chapters that are read: ten thousand of them at 400 bytes each.
    private static let descriptionSize = 4 << 20
    private var tagRoom = SegmentTag.limit
    /// Bytes of all codec headers together: each of a thousand may grow a thousandfold when it is decompressed.
    private var privateRoom: Int

    /// Reads the parts of `layout`.
    init(
        _ layout: SegmentLayout, window: SourceWindow, limits: Limits
    ) throws(UndertextError) {
        privateRoom = limits.packetSize
        for position in layout.wrongSeeks {
            warn("wrong-seek-entry", "The SeekHead points at the wrong offset.", position)
        }
        // In the order of the file, which costs the fewest reads.
        for part in layout.elements.sorted(by: { $0.start < $1.start }) {
            guard part.id != .cues else { continue }
            guard part.id != .attachments else {
                let found = try SegmentAttachment.parse(
                    part, end: min(part.end ?? layout.end, layout.end), window: window,
                    limits: limits)
                attachments += found.filter { !$0.isCutOff }
                for file in found where file.isCutOff {
                    diagnostics.append(
                        Diagnostic(
                            .error, "attachment-lost",
                            "The attachment '\(file.name ?? "")' is incomplete.",
                            byteOffset: part.start))
                }
                if found.count >= limits.streams { leaveOut("attachments", part.start) }
                continue
            }
            let data = try payload(part, layout, window, limits)
            read(part.id, data, limits, at: part.start)
        }
    }

    private mutating func payload(
        _ part: ElementHeader, _ layout: SegmentLayout, _ window: SourceWindow, _ limits: Limits
    ) throws(UndertextError) -> ArraySlice<UInt8> {
        var size = part.size ?? 0
        if part.id == .tags || part.id == .chapters, size > UInt64(Self.descriptionSize) {
            leaveOut(part.id == .tags ? "tags" : "chapters", part.start)
            size = UInt64(Self.descriptionSize)
            return try window.bytes(at: part.dataStart, count: Int(size))
        }
        guard size <= UInt64(max(0, limits.headerSize)) else {
            throw UndertextError(
                .limit, "a header element has more than \(limits.headerSize) bytes",
                path: window.source.name, byteOffset: part.start)
        }
        let data = try window.bytes(at: part.dataStart, count: Int(size))
        var cursor = ElementCursor(data)
        while cursor.next() != nil {}
        if UInt64(data.count) < size || cursor.isDamaged {
            // The lost part of Tracks may contain the selected track.
            diagnostics.append(
                Diagnostic(
                    part.id == .tracks ? .error : .warning, "damaged-header",
                    "A header element is damaged or cut off.", byteOffset: part.start))
        } else if Checksum(of: data) == .wrong {
            warn("damaged-header", "The checksum of a header element is wrong.", part.start)
        }
        return data
    }

    private mutating func read(
        _ id: ElementID, _ data: ArraySlice<UInt8>, _ limits: Limits, at position: UInt64
    ) {
        switch id {
        case .info: info.merge(data)
        case .tracks:
            var isDamaged = false
            for element in ElementCursor(data) {
                // Tracks contains nothing else, so this was a TrackEntry that would otherwise be lost silently.
                guard element.id == .trackEntry else {
                    isDamaged = true
                    continue
                }
                guard tracks.count < limits.streams else {
                    leaveOut("tracks", position, .error)
                    break
                }
                let track = TrackEntry(element.data, privateRoom: &privateRoom)
                trackNumbers.insert(track.number)
                guard track.isStream else {
                    isDamaged = isDamaged || !track.isWhole
                    continue
                }
                if !track.isWhole {
                    diagnostics.append(
                        Diagnostic(
                            .error, "damaged-header", "The description of a track is damaged.",
                            streamIndex: tracks.count, byteOffset: position))
                }
                tracks.append(track)
            }
            if isDamaged {
                diagnostics.append(
                    Diagnostic(
                        .error, "damaged-header", "The description of a track is damaged.",
                        byteOffset: position))
            }
        case .tags:
            for element in ElementCursor(data, clips: true) where element.id == .tag && tagRoom > 0
            {
                tags.append(SegmentTag(element, depth: limits.nesting, room: &tagRoom))
                tagRoom -= 1
            }
            if tagRoom <= 0 { leaveOut("tags", position) }
        case .chapters:
            chapters += SegmentChapter.parse(data, atMost: SegmentChapter.limit - chapters.count)
            if chapters.count >= SegmentChapter.limit { leaveOut("chapters", position) }
        default: break
        }
    }

    private mutating func leaveOut(
        _ things: String, _ position: UInt64, _ severity: Diagnostic.Severity = .warning
    ) {
        isBeyondLimits = true
        let code = "too-many-\(things)"
        guard !diagnostics.contains(where: { $0.code == code }) else { return }
        diagnostics.append(
            Diagnostic(
                severity, code, "The file has too many \(things); the rest of them is left out.",
                byteOffset: position))
    }

    private mutating func warn(_ code: String, _ message: String, _ position: UInt64) {
        diagnostics.append(Diagnostic(.warning, code, message, byteOffset: position))
    }

    /// The time base of tracks whose own scale is 1; `nil` if it does not fit.
    var commonTimeBase: TimeBase? { reduced(Double(info.timestampScale), info.timestampScale) }

    /// The time base of `track`; `nil` if it does not fit.
    func timeBase(of track: TrackEntry) -> TimeBase? {
        guard track.timestampScale != 1 else { return commonTimeBase }
        let scaled = (Double(info.timestampScale) * track.timestampScale).rounded(.down)
        return UInt64(exactly: scaled).flatMap { reduced(scaled, $0) }
    }

    private func reduced(_ approximate: Double, _ nanoseconds: UInt64) -> TimeBase? {
        guard approximate < 1e18, nanoseconds > 0 else { return nil }
        var (large, small): (UInt64, UInt64) = (nanoseconds, 1_000_000_000)
        while small != 0 { (large, small) = (small, large % small) }
        guard let numerator = Int32(exactly: nanoseconds / large),
            let denominator = Int32(exactly: 1_000_000_000 / large)
        else { return nil }
        return TimeBase(numerator, denominator)
    }
}
