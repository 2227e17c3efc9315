/// The facts in a text for people.
///
/// Tests read from a message only what no property carries: a name, an option, a number, a line. The words
/// around them are free. What kind of problem it is, a code says.
extension StringProtocol {
    /// `true` if the text contains each of these facts: names, options, numbers.
    ///
    /// A fact must be a separate word: the text `17` does not state `7`, and `index` does not state `de`.
    public func states(_ facts: String...) -> Bool {
        facts.allSatisfy { fact in
            fact.isEmpty
                || ranges(of: fact).contains { range in
                    !continues(fact.first, self[..<range.lowerBound].last)
                        && !continues(fact.last, self[range.upperBound...].first)
                }
        }
    }

    private func continues(_ edge: Character?, _ neighbor: Character?) -> Bool {
        guard let edge, let neighbor else { return false }
        return (edge.isLetter || edge.isNumber) && (neighbor.isLetter || neighbor.isNumber)
    }

    /// The whole numbers of the text, in order.
    public var statedNumbers: [Int] {
        split { !$0.isWholeNumber }.compactMap { Int($0) }
    }

    /// The text with `#` in place of each number: texts that differ in it report different problems.
    public var withoutNumbers: String {
        var text = ""
        for character in self where !(character.isWholeNumber && text.last == "#") {
            text.append(character.isWholeNumber ? "#" : character)
        }
        return text
    }

    /// The position in a text file as `LINE:COLUMN`, or `LINE` without a column; `nil` if there is none.
    public var statedPosition: String? {
        guard let line = number(after: "line") else { return nil }
        return number(after: "column").map { "\(line):\($0)" } ?? "\(line)"
    }

    /// The number that follows a word.
    private func number(after word: String) -> Int? {
        let words = lowercased().split { !$0.isLetter && !$0.isWholeNumber }
        return zip(words, words.dropFirst()).first { $0 == word && Int($1) != nil }
            .flatMap { Int($1) }
    }
}

extension ToolResult {
    /// `true` if standard error contains each of these facts; see ``Swift/StringProtocol/states(_:)``.
    public func states(_ facts: String...) -> Bool { facts.allSatisfy { stderr.states($0) } }
}
