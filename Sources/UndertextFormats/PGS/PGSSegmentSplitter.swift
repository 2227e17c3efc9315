internal import UndertextCore

/// Finds the segments in packets of any division: complete display sets (Matroska), single segments (.sup), or
/// parts of segments (transport streams).
struct PGSSegmentSplitter {
    /// The beginning of a segment whose rest has not come yet.
    private var pending: [UInt8] = []
    private var pendingOrigin = PGSOrigin()
    private var problems: [PGSProblem] = []

    /// Adds a packet; returns the segments that are complete.
    mutating func push(_ data: [UInt8], _ origin: PGSOrigin) -> [PGSSegment] {
        var segments: [PGSSegment] = []
        var place = 0
        if !pending.isEmpty {
            if Self.beginsWithSegment(data) {
                segments += finish()
            } else {
                place = complete(with: data, &segments)
            }
        }
        while place < data.count {
            guard data.count - place >= PGSSegment.headerSize else {
                wait(for: data[place...], origin)
                break
            }
            let end = place + PGSSegment.headerSize + Self.size(data, place)
            guard let kind = PGSSegment.Kind(rawValue: data[place]) else {
                guard let next = skipUnknown(data, at: place, to: end) else { break }
                place = next
                continue
            }
            guard end <= data.count else {
                wait(for: data[place...], origin)
                break
            }
            let body = data[place + PGSSegment.headerSize..<end]
            segments.append(PGSSegment(kind: kind, body: body, isCutOff: false, origin: origin))
            place = end
        }
        return segments
    }

    /// The bytes of a segment whose rest is missing.
    mutating func finish() -> [PGSSegment] {
        defer { pending = [] }
        guard !pending.isEmpty else { return [] }
        guard pending.count >= PGSSegment.headerSize,
            let kind = PGSSegment.Kind(rawValue: pending[0])
        else {
            problems.append(
                PGSProblem(.error, "truncated-segment", "a packet ends within a segment's header"))
            return []
        }
        let body = pending[PGSSegment.headerSize...]
        problems.append(
            PGSProblem(
                .error, "truncated-segment",
                "a segment has \(body.count) of \(Self.size(pending, 0)) bytes"))
        return [PGSSegment(kind: kind, body: body, isCutOff: true, origin: pendingOrigin)]
    }

    /// The diagnostics since the last call.
    mutating func takeProblems() -> [PGSProblem] {
        defer { problems = [] }
        return problems
    }

    private mutating func wait(for rest: ArraySlice<UInt8>, _ origin: PGSOrigin) {
        pending = Array(rest)
        pendingOrigin = origin
    }

    /// Adds to the segment that waits; returns how much of `data` belonged to it.
    private mutating func complete(with data: [UInt8], _ segments: inout [PGSSegment]) -> Int {
        var place = 0
        func take(until count: Int) {
            let wanted = min(max(0, count - pending.count), data.count - place)
            pending += data[place..<place + wanted]
            place += wanted
        }
        take(until: PGSSegment.headerSize)
        guard pending.count >= PGSSegment.headerSize else { return place }
        guard let kind = PGSSegment.Kind(rawValue: pending[0]) else {
            // Three bytes that are not a header: the packet is examined alone.
            pending = []
            problems.append(
                PGSProblem(
                    .error, "damaged-segment",
                    "bytes outside of segments at the end of a packet were skipped"))
            return 0
        }
        let size = PGSSegment.headerSize + Self.size(pending, 0)
        take(until: size)
        guard pending.count == size else { return place }
        segments.append(
            PGSSegment(
                kind: kind, body: pending[PGSSegment.headerSize...], isCutOff: false,
                origin: pendingOrigin))
        pending = []
        return place
    }

    /// Returns the offset after a segment of unknown type; `nil` = the rest of the packet is lost.
    private mutating func skipUnknown(_ data: [UInt8], at place: Int, to end: Int) -> Int? {
        if end == data.count || end < data.count && PGSSegment.Kind(rawValue: data[end]) != nil {
            let type = String(data[place], radix: 16)
            problems.append(
                PGSProblem(
                    .info, "unknown-segment", "a segment of the unknown type 0x\(type) is left out")
            )
            return end
        }
        // A size was damaged, and this is not a header: search for one from which segments lead exactly to the
        // end of the packet.
        var steps = data.count + 4096
        for next in place + 1..<max(place + 1, data.count - 2) where steps > 0 {
            steps -= 1
            guard PGSSegment.Kind(rawValue: data[next]) != nil,
                Self.leadsToTheEnd(data, from: next, &steps)
            else { continue }
            problems.append(
                PGSProblem(
                    .error, "damaged-segment",
                    "\(next - place) bytes outside of segments were skipped"))
            return next
        }
        problems.append(
            PGSProblem(
                .error, "damaged-segment",
                "\(data.count - place) bytes at the end of a packet are not segments"))
        return nil
    }

    /// `true` if a packet begins with a segment rather than with the rest of one.
    ///
    /// This is so if it begins with a complete composition, or if segments of known types lead exactly to its
    /// end.
    static func beginsWithSegment(_ data: [UInt8]) -> Bool {
        guard data.count >= PGSSegment.headerSize else { return false }
        let end = PGSSegment.headerSize + size(data, 0)
        if data[0] == PGSSegment.Kind.composition.rawValue, end <= data.count,
            PGSComposition.isWhole(data[PGSSegment.headerSize..<end])
        {
            return true
        }
        var steps = 4096
        return leadsToTheEnd(data, from: 0, &steps)
    }

    private static func leadsToTheEnd(_ data: [UInt8], from start: Int, _ steps: inout Int) -> Bool
    {
        var place = start
        while place + PGSSegment.headerSize <= data.count, steps > 0 {
            guard PGSSegment.Kind(rawValue: data[place]) != nil else { return false }
            place += PGSSegment.headerSize + size(data, place)
            steps -= 1
        }
        return place == data.count
    }

    private static func size(_ data: [UInt8], _ place: Int) -> Int {
        Int(data[place + 1]) << 8 | Int(data[place + 2])
    }
}
