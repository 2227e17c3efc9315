internal import Glibc
public import Testing

/// Compares a text with its golden: `Goldens/NAME` beside the calling test file.
///
/// With `RECORD_GOLDENS=1` the text is recorded instead and the test fails, so that a recording run is never
/// mistaken for a pass. A difference shows the first line that differs. `name` has an extension, such as
/// `two-tracks.txt`.
public func expectGolden(
    _ actual: String, _ name: String, filePath: String = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let folder =
        filePath.prefix(upTo: filePath.lastIndex(of: "/") ?? filePath.endIndex) + "/Goldens"
    let path = folder + "/" + name
    if environment("RECORD_GOLDENS") == "1" {
        unsafe mkdir(String(folder), 0o755)
        let written = writeFile(Array(actual.utf8), to: String(path))
        Issue.record(
            "\(written ? "recorded" : "could not record") \(name)", sourceLocation: sourceLocation)
        return
    }
    guard let expected = fileText(String(path)) else {
        Issue.record(
            "no golden \(name): record it with RECORD_GOLDENS=1", sourceLocation: sourceLocation)
        return
    }
    guard actual != expected else { return }
    Issue.record(
        "\(name): \(firstDifference(actual, expected))", sourceLocation: sourceLocation)
}

private func firstDifference(_ actual: String, _ expected: String) -> String {
    let got = actual.split(separator: "\n", omittingEmptySubsequences: false)
    let wanted = expected.split(separator: "\n", omittingEmptySubsequences: false)
    for index in 0..<max(got.count, wanted.count) {
        let left = index < got.count ? String(got[index]) : nil
        let right = index < wanted.count ? String(wanted[index]) : nil
        if left != right {
            return """
                line \(index + 1) differs (\(got.count) lines, \(wanted.count) expected)
                  expected: \(right ?? "(no line)")
                  got:      \(left ?? "(no line)")
                """
        }
    }
    return "differs in line ends"
}
