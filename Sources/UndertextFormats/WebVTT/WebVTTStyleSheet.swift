internal import UndertextCore

/// The rules of a track's STYLE blocks that this parser supports.
///
/// W3C WebVTT, section 8.2: `::cue` for entire cues, `::cue(…)` for one cue by its identifier and for content
/// within tags.
struct WebVTTStyleSheet {
    /// Declarations for those whom a selector is for.
    struct Rule {
        let selector: WebVTTSelector
        let declarations: WebVTTDeclarations
        let isImportant: Bool
    }

    /// The rules in the order of the file.
    private(set) var rules: [Rule] = []
    /// Selectors, properties and values that are not understood, each once.
    private(set) var leftOut: [String] = []

    /// Every run of a cue asks all of them.
    private static let rulesAtMost = 1000
    private static let leftOutAtMost = 20
    /// The maximum number of matches of rules against runs; later runs get the style of their cue.
    private static let testsAtMost = 1_000_000

    /// Reads style sheets, one a STYLE block.
    init(_ sheets: [String]) {
        for sheet in sheets {
            var scanner = WebVTTRuleScanner(sheet)
            while let rule = scanner.next() {
                guard let block = rule.block, rule.selector.first != 0x40 else {
                    leaveOut(rule.selector.text)
                    continue
                }
                let selectors = WebVTTSelector.list(rule.selector)
                for other in selectors.others { leaveOut(other) }
                guard !selectors.understood.isEmpty else { continue }
                let (normal, important) = declarations(of: block)
                for selector in selectors.understood {
                    add(selector, normal, isImportant: false)
                    add(selector, important, isImportant: true)
                }
            }
        }
    }

    private mutating func add(
        _ selector: WebVTTSelector, _ declarations: WebVTTDeclarations, isImportant: Bool
    ) {
        guard !declarations.isEmpty else { return }
        guard rules.count < Self.rulesAtMost else {
            leaveOut("more than \(Self.rulesAtMost) rules")
            return
        }
        rules.append(
            Rule(selector: selector, declarations: declarations, isImportant: isImportant))
    }

    private mutating func leaveOut(_ text: String) {
        guard leftOut.count < Self.leftOutAtMost else { return }
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let short = words.count > 60 ? words.prefix(60) + "…" : words
        if !leftOut.contains(short) { leftOut.append(short) }
    }

    private mutating func declarations(
        of block: ArraySlice<UInt8>
    ) -> (normal: WebVTTDeclarations, important: WebVTTDeclarations) {
        var result = (normal: WebVTTDeclarations(), important: WebVTTDeclarations())
        for declaration in WebVTTRuleScanner.parts(of: block, at: Byte.semicolon)
        where !declaration.isEmpty {
            let sides = declaration.split(
                separator: Byte.colon, maxSplits: 1, omittingEmptySubsequences: false)
            let property = sides[0].trimmed.text.lowercased()
            var value = sides.count == 2 ? sides[1].trimmed : []
            let mark = value.lastIndex(of: 0x21)
            let isImportant = mark.map {
                value[($0 + 1)...].trimmed.equalsIgnoringCase("important")
            }
            if let mark, isImportant == true { value = value[..<mark].trimmed }
            let isKnown =
                isImportant == true
                ? result.important.add(property, value) : result.normal.add(property, value)
            if !isKnown { leaveOut(declaration.text) }
        }
        return result
    }

    // MARK: Text

    /// The text with the styles of matching rules.
    func styled(_ text: StyledText, id: String) -> StyledText {
        guard !rules.isEmpty else { return text }
        let forCue = declarations(for: TextRun(""), id: id) { $0.isForCues }
        let most = Self.testsAtMost / rules.count
        return StyledText(
            runs: text.runs.enumerated().map { index, run in
                var result = run
                forCue.apply(below: &result.style)
                guard index < most else { return result }
                declarations(for: run, id: id) { !$0.isForCues }.apply(to: &result.style)
                return result
            })
    }

    /// Returns the cascaded declarations of a run; of two rules of equal specificity the later one applies.
    private func declarations(
        for run: TextRun, id: String, where isMeant: (WebVTTSelector) -> Bool
    ) -> WebVTTDeclarations {
        rules.filter { isMeant($0.selector) && $0.selector.matches(run, id: id) }
            .map { rule in
                let depth = rule.selector.depth(in: run.style)
                let rank = (rule.isImportant ? 1 : 0, rule.selector.specificity, depth)
                return (rank: rank, declarations: rule.declarations)
            }
            // Sorting keeps the order of what is equal.
            .sorted { $0.rank < $1.rank }
            .reduce(WebVTTDeclarations()) { $0.under($1.declarations) }
    }
}
