internal import UndertextCore
internal import UndertextFormats

/// A correction of a cue by the user; properties that are `nil` do not change.
struct CueCorrection: Sendable {
    /// The order of the cue.
    var order: Int
    /// The text, with line feeds.
    var text: String?
    var start: Timestamp?
    var end: Timestamp?

    /// The maximum number of characters of a cue.
    static let textLimit = 4000

    /// The earliest and the latest time, in seconds: as far from zero as a track can be shifted, and eleven days.
    private static let times = -86_400.0...1e6

    /// Reads a request of the page.
    ///
    /// - Throws: `UndertextError` with code `invalid-request` if a value is missing, malformed or too large.
    init(_ json: JSON) throws(UndertextError) {
        guard let order = json["cue"]?.wholeNumber else {
            throw UndertextError(.invalidRequest, "no cue is selected")
        }
        self.order = order
        if case .string(let text)? = json["text"] {
            guard text.count <= Self.textLimit else {
                throw UndertextError(
                    .invalidRequest, "the text of a cue has at most \(Self.textLimit) characters")
            }
            self.text = Self.cleaned(text)
        }
        start = try Self.time(json, "start")
        end = try Self.time(json, "end")
        guard text != nil || start != nil || end != nil else {
            throw UndertextError(.invalidRequest, "a correction needs a text or a time")
        }
    }

    private static func time(
        _ json: JSON, _ name: String
    ) throws(UndertextError) -> Timestamp? {
        guard let value = json[name] else { return nil }
        guard case .number = value, let seconds = value.fraction, times.contains(seconds) else {
            throw UndertextError(.invalidRequest, "the \(name) of the cue is not a possible time")
        }
        // The page states milliseconds.
        return Timestamp(nanoseconds: Int64((seconds * 1000).rounded()) * 1_000_000)
    }

    /// The text with line feeds, without control characters and white space at its end.
    private static func cleaned(_ text: String) -> String {
        let lines = text.split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline
        ).map { line in
            String(
                String.UnicodeScalarView(
                    line.unicodeScalars.filter {
                        $0 == "\t" || $0.properties.generalCategory != .control
                    }))
        }
        var cleaned = lines.joined(separator: "\n")
        while cleaned.last?.isWhitespace == true { cleaned.removeLast() }
        return cleaned
    }
}

/// The cues of a track that the user has changed, as they were before, and the changes in their order.
struct CueOriginals: Sendable {
    /// The properties of a cue that the user can change.
    struct Cue: Equatable, Sendable {
        var order: Int32
        var text: String
        var start: Timestamp
        var end: Timestamp
        var isReviewed: Bool

        init(_ entry: CueList.Entry, text: String) {
            order = entry.order
            self.text = text
            start = entry.start
            end = entry.end
            isReviewed = entry.isReviewed
        }

        /// Compares the text by its bytes: letters that only look alike differ.
        static func == (left: Self, right: Self) -> Bool {
            left.hasContent(of: right) && left.isReviewed == right.isReviewed
        }

        /// Returns `true` if order, text and times are equal.
        func hasContent(of other: Self) -> Bool {
            (order, start, end) == (other.order, other.start, other.end)
                && text.utf8.elementsEqual(other.text.utf8)
        }

        /// Returns `true` if a cue that was read again is the one that was changed.
        func isThat(of cue: UndertextCore.Cue) -> Bool {
            // The text of very long tracks is not kept.
            start == cue.start
                && (text.isEmpty || cue.plainText?.utf8.elementsEqual(text.utf8) == true)
        }
    }

    /// The number of changes that can be taken back.
    static let stepLimit = 500

    /// The cues as they were read, by their order; only cues that were changed at some time.
    private var cues: [Int32: Cue] = [:]
    /// The orders of the cues that differ from what was read.
    private(set) var changed: Set<Int32> = []
    /// The cues before each change, the last change at the end.
    private(set) var steps: [Cue] = []
    /// The number of changes before those in ``steps``, which cannot be taken back any more.
    private var forgottenSteps = 0

    /// The number of all changes that were not taken back.
    var stepCount: Int { forgottenSteps + steps.count }

    /// Accesses a changed cue as it was read; `nil` for a cue that is as it was read.
    subscript(order: Int32) -> Cue? { changed.contains(order) ? cues[order] : nil }

    /// Notes a change.
    mutating func record(_ before: Cue, changedTo after: Cue) {
        if cues[before.order] == nil { cues[before.order] = before }
        compare(after)
        if steps.count >= Self.stepLimit {
            steps.removeFirst()
            forgottenSteps += 1
        }
        steps.append(before)
    }

    /// Notes that the last change was taken back.
    mutating func takeBack() {
        guard let before = steps.popLast() else { return }
        compare(before)
    }

    /// Forgets how a cue was read, because it was read in another way.
    mutating func forget(_ order: Int32) {
        cues[order] = nil
        changed.remove(order)
    }

    private mutating func compare(_ now: Cue) {
        if cues[now.order]?.hasContent(of: now) == false {
            changed.insert(now.order)
        } else {
            changed.remove(now.order)
        }
    }
}
