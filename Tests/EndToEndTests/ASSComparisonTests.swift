import TestSupport
import Testing

/// The table of `Documentation/Formats/ASS.md`, measured again.
@Suite struct ASSComparisonTests {
    private static func rows(_ text: String) -> [[String]] {
        text.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
            line.split(separator: "|").map { cell in
                let trimmed = cell.drop { $0 == " " }
                return String(trimmed.reversed().drop { $0 == " " }.reversed())
            }
        }
    }

    @Test(.requires("ffmpeg"), .requiresPython("pysubs2")) func theTableIsTrue() throws {
        let result = run(
            "python3", [Repository.root + "/Scripts/compare-ass.py", Command.path])
        try #require(result.status == 0, "\(result.stderr)")
        let measured = Self.rows(result.text)
        let page = try #require(fileText(Repository.root + "/Documentation/Formats/ASS.md"))
        let start = try #require(page.firstRange(of: "| feature |")).lowerBound
        let printed = Self.rows(String(page[start...]))
        try #require(measured.count == 25 && printed.count >= measured.count)
        for (found, stated) in zip(measured, printed) {
            // Columns 1 and 4 are undertext's; the others depend on the versions that are installed.
            try #require(found.count == 7 && stated.count == 7)
            #expect([found[0], found[1], found[4]] == [stated[0], stated[1], stated[4]])
        }
        // Other programs of any version lose content that we keep; otherwise the table is outdated.
        let kept = try #require(measured.last).dropFirst().compactMap { Int($0) }
        try #require(kept.count == 6)
        #expect(kept[0] > max(kept[1], kept[2]) && kept[3] > max(kept[4], kept[5]))
    }
}
