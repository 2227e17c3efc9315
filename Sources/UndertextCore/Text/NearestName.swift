/// Returns the known name that a mistyped one probably means: the nearest one within two edits, or within one edit of
/// names of fewer than four characters; `nil` if there is none.
package func nearestName(to name: String, among known: [String]) -> String? {
    let lower = Array(name.lowercased())
    let most = lower.count < 4 ? 1 : 2
    return known.map { ($0, editDistance(lower, Array($0.lowercased()))) }
        .filter { $0.1 <= most }.min { $0.1 < $1.1 }?.0
}

/// Returns the Damerau–Levenshtein distance: insertions, deletions, substitutions and transpositions of neighbors.
private func editDistance(_ one: [Character], _ other: [Character]) -> Int {
    // The cost is quadratic, and a longer word is not a mistyped name.
    guard max(one.count, other.count) <= 32 else { return .max }
    var rows = [Array(0...other.count)]
    for (i, first) in one.enumerated() {
        var row = [i + 1]
        for (j, second) in other.enumerated() {
            var best = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (first == second ? 0 : 1))
            if i > 0, j > 0, first == other[j - 1], one[i - 1] == second {
                best = min(best, rows[i - 1][j - 1] + 1)
            }
            row.append(best)
        }
        rows.append(row)
    }
    return rows[one.count][other.count]
}
