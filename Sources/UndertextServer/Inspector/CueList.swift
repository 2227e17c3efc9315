internal import Undertext
internal import UndertextCore
internal import UndertextFormats

/// The cues of a track in compact form: their times, their text, and the positions of their images.
///
/// 200,000 cues of text take about 15 MB. Pixels and styles are read again when they are needed.
struct CueList: Sendable {
    /// A cue.
    struct Entry: Sendable {
        var start: Timestamp
        var end: Timestamp
        var order: Int32
        var layer: Int32
        /// The part of ``CueList/text`` that is its text.
        var textStart: Int32
        var textCount: Int32
        /// The part of ``CueList/images`` that are its images.
        var imageStart: Int32
        var imageCount: Int16
        var isForced: Bool
        /// `true` if another cue is on screen at the same time.
        var overlaps = false
        var endSource: EndSource
        /// The confidence of the recognizer in percent; `nil` if no text was recognized in its images yet.
        var confidence: UInt8?
        /// `true` if the user has accepted or corrected its text.
        var isReviewed = false

        /// `true` if its text was recognized with low confidence.
        var isDoubtful: Bool {
            confidence.map { Double($0) < RecognitionOptions.lowConfidence * 100 } ?? false
        }
    }

    /// The position of an image on the canvas.
    struct Placement: Sendable {
        var x: Int32
        var y: Int32
        var width: Int32
        var height: Int32
    }

    /// A condition on cues.
    enum Filter: String, Sendable {
        case forced
        case overlaps
        /// Cues at whose time a diagnostic was reported.
        case diagnostics
        /// Cues whose text was recognized with low confidence, the lowest first.
        case doubtful
        /// Cues that the format of an export cannot carry completely.
        case losses
        /// Cues that the user has changed.
        case corrected
    }

    /// The cues by start and order.
    private(set) var entries: [Entry] = []
    private var text: [UInt8] = []
    private var images: [Placement] = []
    /// The canvas of the first cue of images that states one.
    private(set) var canvas: PixelSize?
    /// The latest end.
    private(set) var last: Timestamp?
    /// A counter that changes with the content.
    private(set) var revision = 0
    /// The number of forced cues.
    private(set) var forcedCount = 0
    /// The number of cues that overlap others.
    private(set) var overlapCount = 0
    /// The index of the cue with the latest end.
    private var longest: Int?
    /// The cues that the user has changed, as they were before.
    var originals = CueOriginals()

    /// The bytes of text that are kept; the text of further cues is left out.
    static let textLimit = 512 << 20

    /// Adds cues, and orders all of them.
    mutating func append(_ cues: [Cue]) {
        guard !cues.isEmpty else { return }
        var isOrdered = true
        let known = entries.count
        for cue in cues {
            var entry = Entry(
                start: cue.start, end: cue.end, order: Int32(clamping: cue.order),
                layer: Int32(clamping: cue.layer), textStart: Int32(text.count), textCount: 0,
                imageStart: Int32(images.count), imageCount: 0, isForced: cue.isForced,
                endSource: cue.endSource)
            switch cue.content {
            case .text(let styled):
                let plain = styled.plainText.utf8
                if text.count + plain.count <= Self.textLimit {
                    text += plain
                    entry.textCount = Int32(plain.count)
                }
            case .images(let content):
                canvas = canvas ?? content.canvas
                for image in content.images.prefix(64) {
                    images.append(
                        Placement(
                            x: Int32(clamping: image.x), y: Int32(clamping: image.y),
                            width: Int32(clamping: image.bitmap.width),
                            height: Int32(clamping: image.bitmap.height)))
                    entry.imageCount += 1
                }
            }
            if let before = entries.last, Self.precedes(entry, before) { isOrdered = false }
            if entry.isForced { forcedCount += 1 }
            last = max(last ?? entry.end, entry.end)
            entries.append(entry)
        }
        if !isOrdered { entries.sort(by: Self.precedes) }
        markOverlaps(from: isOrdered ? known : 0)
        revision += 1
    }

    private static func precedes(_ left: Entry, _ right: Entry) -> Bool {
        (left.start, left.order) < (right.start, right.order)
    }

    /// Marks the cues from an index on that overlap others, and those that they overlap.
    private mutating func markOverlaps(from first: Int) {
        if first == 0 {
            longest = nil
            overlapCount = 0
            for index in entries.indices { entries[index].overlaps = false }
        }
        for index in first..<entries.count {
            if let before = longest, entries[before].end > entries[index].start {
                if !entries[before].overlaps { overlapCount += 1 }
                entries[before].overlaps = true
                entries[index].overlaps = true
                overlapCount += 1
            }
            if longest.map({ entries[$0].end < entries[index].end }) ?? true { longest = index }
        }
    }

    /// The text of a cue; empty for images.
    func text(of entry: Entry) -> String {
        String(decoding: utf8(of: entry), as: UTF8.self)
    }

    private func utf8(of entry: Entry) -> ArraySlice<UInt8> {
        text[Int(entry.textStart)..<Int(entry.textStart) + Int(entry.textCount)]
    }

    /// The positions of the images of a cue.
    func images(of entry: Entry) -> ArraySlice<Placement> {
        images[Int(entry.imageStart)..<Int(entry.imageStart) + Int(entry.imageCount)]
    }

    /// The entry with an order, and its rank among those that begin at the same time.
    func entry(order: Int) -> (entry: Entry, rank: Int)? {
        guard let index = entries.firstIndex(where: { $0.order == order }) else { return nil }
        var first = index
        while first > 0, entries[first - 1].start == entries[index].start { first -= 1 }
        return (entries[index], index - first)
    }

    /// The cue with a start and an order.
    private func index(start: Timestamp, order: Int) -> Int? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if (entries[middle].start, Int(entries[middle].order)) < (start, order) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        guard low < entries.count, entries[low].start == start, entries[low].order == order else {
            return nil
        }
        return low
    }

    /// Sets the text that was recognized in the images of cues; reviewed text is kept.
    mutating func recognize(_ texts: [RecognizedCue]) {
        for found in texts {
            guard let index = index(start: found.start, order: found.order),
                !entries[index].isReviewed, setText(found.text.text, at: index)
            else { continue }
            originals.forget(entries[index].order)
            let percent = (found.text.confidence * 100).rounded(.down)
            entries[index].confidence = UInt8(min(max(percent, 0), 100))
        }
        revision += 1
    }

    /// Sets a text; returns `false` if there is no room for it.
    private mutating func setText(_ new: String, at index: Int) -> Bool {
        let bytes = new.utf8
        let start = Int(entries[index].textStart)
        if bytes.count <= Int(entries[index].textCount) {
            text.replaceSubrange(start..<start + bytes.count, with: bytes)
        } else {
            guard text.count + bytes.count <= Self.textLimit else { return false }
            entries[index].textStart = Int32(text.count)
            text += bytes
        }
        entries[index].textCount = Int32(bytes.count)
        return true
    }

    /// Finds a doubtful cue that is not reviewed yet; the lowest confidence comes first.
    ///
    /// - Parameters:
    ///   - order: The order of the cue to begin at.
    ///   - isBackwards: `true` for the one before it.
    /// - Returns: The index of the cue, which wraps around at the end of the order, and the number of such cues.
    func unreviewed(after order: Int?, isBackwards: Bool) -> (index: Int?, count: Int) {
        let all = entries.indices.filter { entries[$0].isDoubtful && !entries[$0].isReviewed }
            .sorted { rank($0) < rank($1) }
        guard let order, let current = entries.firstIndex(where: { $0.order == order }) else {
            return (isBackwards ? all.last : all.first, all.count)
        }
        let own = rank(current)
        let found =
            isBackwards
            ? all.last { rank($0) < own } ?? all.last : all.first { rank($0) > own } ?? all.first
        return (found, all.count)
    }

    private func rank(_ index: Int) -> (UInt8, Int) { (entries[index].confidence ?? .max, index) }

    /// Returns `true` if the text of a cue contains another text, ignoring case.
    func contains(_ query: Query, in entry: Entry) -> Bool {
        guard !query.isEmpty else { return true }
        guard let bytes = query.ascii else {
            return text(of: entry).lowercased().contains(query.text)
        }
        let own = utf8(of: entry)
        guard own.count >= bytes.count else { return false }
        for start in own.startIndex...(own.endIndex - bytes.count) {
            var matched = 0
            while matched < bytes.count, own[start + matched].lowercased == bytes[matched] {
                matched += 1
            }
            if matched == bytes.count { return true }
        }
        return false
    }

    /// A searched text.
    struct Query: Hashable, Sendable {
        /// The text in lower case.
        let text: String
        /// Its bytes, if it has ASCII alone.
        let ascii: [UInt8]?

        /// Creates a query of the first 200 characters of a text.
        init(_ text: String) {
            self.text = String(text.lowercased().prefix(200))
            let bytes = Array(self.text.utf8)
            ascii = bytes.allSatisfy { $0 < 0x80 } ? bytes : nil
        }

        /// `true` if every text matches.
        var isEmpty: Bool { text.isEmpty }
    }
}

/// The text of the images of a cue.
struct RecognizedCue: Sendable {
    let order: Int
    let start: Timestamp
    let text: RecognizedText
}

// MARK: - Corrections

extension CueList {
    /// Returns `true` if the user has changed a cue.
    func isCorrected(_ entry: Entry) -> Bool { originals.changed.contains(entry.order) }

    /// Takes what the user has changed, or accepted, of a cue.
    ///
    /// - Returns: `false` if there is no such cue, or no room for its text.
    mutating func correct(_ correction: CueCorrection) -> Bool {
        guard let index = entries.firstIndex(where: { $0.order == correction.order }) else {
            return false
        }
        let entry = entries[index]
        let before = CueOriginals.Cue(entry, text: self.text(of: entry))
        var after = before
        after.text = correction.text ?? after.text
        after.start = correction.start ?? after.start
        after.end = correction.end ?? after.end
        // Text that was recognized is reviewed even if it stays.
        after.isReviewed = entry.confidence != nil || entry.isReviewed
        guard after != before else { return true }
        guard set(after, at: index) else { return false }
        originals.record(before, changedTo: after)
        revision += 1
        return true
    }

    /// Takes back the last change of the user.
    ///
    /// - Returns: The order of the cue, or `nil` if there is nothing to take back.
    mutating func undo() -> Int? {
        guard let before = originals.steps.last,
            let index = entries.firstIndex(where: { $0.order == before.order }),
            set(before, at: index)
        else { return nil }
        originals.takeBack()
        revision += 1
        return Int(before.order)
    }

    private mutating func set(_ cue: CueOriginals.Cue, at index: Int) -> Bool {
        if !self.text(of: entries[index]).utf8.elementsEqual(cue.text.utf8),
            !setText(cue.text, at: index)
        {
            return false
        }
        entries[index].isReviewed = cue.isReviewed
        guard (entries[index].start, entries[index].end) != (cue.start, cue.end) else {
            return true
        }
        var entry = entries.remove(at: index)
        entry.start = cue.start
        entry.end = cue.end
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if Self.precedes(entries[middle], entry) { low = middle + 1 } else { high = middle }
        }
        entries.insert(entry, at: low)
        last = entries.lazy.map(\.end).max()
        markOverlaps(from: 0)
        return true
    }

    /// Returns cues that were read again with the changes of the user; those without text any more are left out.
    ///
    /// - Throws: `UndertextError` with code `not-found` if a changed cue is not among them.
    func corrected(_ cues: [Cue]) throws(UndertextError) -> [Cue] {
        guard !originals.changed.isEmpty else { return cues }
        var changed: [Int32: Entry] = [:]
        for entry in entries where isCorrected(entry) { changed[entry.order] = entry }
        var result: [Cue] = []
        result.reserveCapacity(cues.count)
        for cue in cues {
            let order = Int32(clamping: cue.order)
            guard let entry = changed[order], let original = originals[order],
                original.isThat(of: cue)
            else {
                result.append(cue)
                continue
            }
            changed[order] = nil
            var corrected = cue
            let new = self.text(of: entry)
            if !new.utf8.elementsEqual(original.text.utf8) {
                guard !new.isEmpty else { continue }
                corrected = corrected.corrected(to: new)
            }
            if (entry.start, entry.end) != (original.start, original.end) {
                corrected = corrected.retimed(from: entry.start, until: entry.end)
            }
            result.append(corrected)
        }
        if let missing = changed.values.min(by: { ($0.start, $0.order) < ($1.start, $1.order) }) {
            let others = changed.count > 1 ? " and \(changed.count - 1) others" : ""
            throw UndertextError(
                .notFound,
                "the input has changed since it was read: the corrected cue at \(missing.start)\(others) cannot be found in it; open it again"
            )
        }
        return result.sorted { ($0.start, $0.order) < ($1.start, $1.order) }
    }
}

// MARK: - Rows

/// A line of the list: a cue, a cue of another track beside it, or both.
struct CueRow: Sendable {
    /// The index in the first table; -1 without one.
    var first: Int32
    /// The index in the second table; -1 without one.
    var second: Int32
}

extension CueList {
    /// The rows of a track alone.
    var rows: [CueRow] {
        entries.indices.map { CueRow(first: Int32($0), second: -1) }
    }

    /// The rows of two tracks, aligned by time: cues that share more than half of the shorter one are side by side.
    ///
    /// - Parameters:
    ///   - other: The second track.
    ///   - shift: The offset of this track.
    /// - Returns: The rows by time.
    func rows(beside other: CueList, shift: Duration) -> [CueRow] {
        var rows: [CueRow] = []
        rows.reserveCapacity(max(entries.count, other.entries.count))
        var (i, j) = (0, 0)
        while i < entries.count, j < other.entries.count {
            let (start, end) = (
                entries[i].start.advanced(by: shift), entries[i].end.advanced(by: shift)
            )
            let second = other.entries[j]
            let shared = max(start, second.start).duration(to: min(end, second.end))
            let shorter = min(
                start.duration(to: end), second.start.duration(to: second.end))
            if shared > .zero, shared * 2 > shorter {
                rows.append(CueRow(first: Int32(i), second: Int32(j)))
                i += 1
                j += 1
            } else if start <= second.start {
                rows.append(CueRow(first: Int32(i), second: -1))
                i += 1
            } else {
                rows.append(CueRow(first: -1, second: Int32(j)))
                j += 1
            }
        }
        while i < entries.count {
            rows.append(CueRow(first: Int32(i), second: -1))
            i += 1
        }
        while j < other.entries.count {
            rows.append(CueRow(first: -1, second: Int32(j)))
            j += 1
        }
        return rows
    }
}

// MARK: - Timeline

/// The coverage of a timeline by the cues of a track, in equal parts.
struct CueCoverage: Sendable {
    /// The share of each part with a cue on screen, 0 to 100.
    var percent: [Int]
    /// The parts with forced cues.
    var forced: [Int] = []
    /// The parts with cues that overlap.
    var overlaps: [Int] = []
    /// The longest gaps between cues, by time.
    var gaps: [Range<Timestamp>] = []

    /// A shorter pause is no gap.
    static let shortestGap = Duration.seconds(60)
    /// The number of gaps that are listed.
    static let gapLimit = 50
}

extension CueList {
    /// The coverage of a part of the timeline.
    func coverage(from: Timestamp, until: Timestamp, parts: Int) -> CueCoverage {
        let count = max(1, parts)
        var covered = [Int64](repeating: 0, count: count)
        var coverage = CueCoverage(percent: [])
        // The parts that are listed already; cues come by start.
        var (forced, overlapping) = (-1, -1)
        let span = max(1, until.nanoseconds.subtractingSaturated(from.nanoseconds))
        let width = max(1, span / Int64(count))
        var shown = from
        var gaps: [Range<Timestamp>] = []
        var before: Timestamp?
        for entry in entries {
            if let before, before < entry.start,
                before.duration(to: entry.start) >= CueCoverage.shortestGap
            {
                gaps.append(before..<entry.start)
            }
            before = max(before ?? entry.end, entry.end)
            guard entry.end > from, entry.start < until else { continue }
            let start = max(entry.start, from)
            let first = part(start, from, width, count)
            let final = part(min(entry.end, until), from, width, count)
            if entry.isForced, final > forced {
                coverage.forced += max(first, forced + 1)...final
                forced = final
            }
            if entry.overlaps, final > overlapping {
                coverage.overlaps += max(first, overlapping + 1)...final
                overlapping = final
            }
            // Time that an earlier cue covers is counted once.
            let begin = max(start, shown)
            let end = min(entry.end, until)
            guard begin < end else { continue }
            shown = end
            for index in part(begin, from, width, count)...final {
                let low = from.nanoseconds + Int64(index) * width
                let high = index == count - 1 ? until.nanoseconds : low + width
                covered[index] += max(0, min(end.nanoseconds, high) - max(begin.nanoseconds, low))
            }
        }
        coverage.percent = covered.map { Int(min(100, Double($0) * 100 / Double(width))) }
        coverage.gaps = Array(
            gaps.sorted { $0.length > $1.length }.prefix(CueCoverage.gapLimit)
                .sorted { $0.lowerBound < $1.lowerBound })
        return coverage
    }

    private func part(_ time: Timestamp, _ from: Timestamp, _ width: Int64, _ count: Int) -> Int {
        Int(min(Int64(count - 1), max(0, (time.nanoseconds - from.nanoseconds) / width)))
    }
}

extension Range<Timestamp> {
    fileprivate var length: Duration { lowerBound.duration(to: upperBound) }
}

extension Int64 {
    /// The difference, or the nearest number that there is.
    fileprivate func subtractingSaturated(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (self < other ? .min : .max) : difference
    }
}
