import TestSupport
import Testing

/// Text tracks with looks: times and text against what mkvextract takes out.
@Suite(.requires("mkvextract")) struct StyledTextCorpusTests {
    @Test func advancedSubStationEqualsMkvextract() throws {
        #expect(try compare(fixture("containers/movie.mkv"), "ass", dialogue) == 1)
    }

    @Test(.requiresCorpus()) func advancedSubStationOfOthersEqualsMkvextract() throws {
        var count = 0
        for path in CorpusTests.mediaFiles() where path.hasSuffix(".mkv") {
            count += try compare(path, "ass", dialogue)
        }
        #expect(count >= 1)
    }

    @Test func webVTTEqualsMkvextract() throws {
        #expect(try compare(fixture("containers/webvtt.mkv"), "webvtt", webVTT) == 1)
    }

    /// Compares each track of a codec; how many were compared.
    private func compare(
        _ path: String, _ codec: String, _ read: (String) -> [PlainCue]
    ) throws -> Int {
        let folder = TemporaryDirectory()
        let json = Command.undertext(
            "extract", "--format", "jsonl", "--tracks", "text", "-o", folder.path, path)
        guard json.status != 2 else { return 0 }
        var count = 0
        for name in names(in: folder.path) where name.hasSuffix(".jsonl") {
            let lines = try #require(fileText(folder / name)).split(separator: "\n")
            let track = try #require(lines.first)
            guard jsonValue("codec", in: track) == codec,
                let index = jsonValue("track", in: track)
            else { continue }
            let key = codec == "webvtt" ? "payload" : "text"
            let ours = lines.filter { jsonValue("type", in: $0) == "cue" }.map { line in
                PlainCue(
                    start: jsonMilliseconds("start", in: line),
                    end: jsonMilliseconds("end", in: line),
                    text: plain(jsonValue(key, in: line) ?? ""))
            }
            let out = folder / "other"
            #expect(run("mkvextract", [path, "tracks", "\(index):\(out)"]).status <= 1, "\(path)")
            let theirs = read(try #require(fileText(out)))
            #expect(!theirs.isEmpty && ours.count == theirs.count, "\(path), stream \(index)")
            for (our, their) in zip(ordered(ours), ordered(theirs)) {
                // Scripts count in hundredths of a second.
                #expect(abs(our.start - their.start) <= 10, "\(path): \(our), \(their)")
                #expect(abs(our.end - their.end) <= 10, "\(path): \(our), \(their)")
                #expect(our.text == their.text, "\(path), stream \(index)")
            }
            count += 1
        }
        return count
    }

    private func ordered(_ cues: [PlainCue]) -> [PlainCue] {
        cues.sorted {
            ($0.start / 10, $0.end / 10, $0.text) < ($1.start / 10, $1.end / 10, $1.text)
        }
    }

    /// No-break spaces equal spaces, and trailing ones are ignored.
    private func plain(_ text: String) -> String {
        let blanks = text.map { $0 == "\u{A0}" ? " " : $0 }
        let start = blanks.drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }

    /// The events of a script, without overrides and drawings.
    private func dialogue(_ script: String) -> [PlainCue] {
        script.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("Dialogue:") }
            .compactMap { line in
                let fields = line.split(
                    separator: ",", maxSplits: 9, omittingEmptySubsequences: false)
                guard fields.count == 10, let start = milliseconds(fields[1]),
                    let end = milliseconds(fields[2])
                else { return nil }
                return PlainCue(start: start, end: end, text: plain(shown(fields[9])))
            }
    }

    private func shown(_ text: Substring) -> String {
        var result = ""
        var isDrawing = false
        var rest = text
        while let character = rest.popFirst() {
            if character == "{", let close = rest.firstIndex(of: "}") {
                for tag in rest[..<close].split(separator: "\\") where tag.hasPrefix("p") {
                    guard let scale = Int(tag.dropFirst()) else { continue }
                    isDrawing = scale > 0
                }
                rest = rest[close...].dropFirst()
            } else if isDrawing {
                continue
            } else if character == "\\", let escape = rest.first, "Nnh".contains(escape) {
                rest = rest.dropFirst()
                result.append(escape == "N" ? "\n" : " ")
            } else {
                result.append(character)
            }
        }
        return result
    }

    /// The cues of a WebVTT file: the timing lines and what follows them up to a blank line.
    private func webVTT(_ file: String) -> [PlainCue] {
        var cues: [PlainCue] = []
        let lines = file.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            guard let arrow = line.firstRange(of: " --> "),
                let start = milliseconds(line[..<arrow.lowerBound]),
                let end = milliseconds(line[arrow.upperBound...].prefix { $0 != " " })
            else { continue }
            let payload = lines[(index + 1)...].prefix { !$0.isEmpty }
            cues.append(
                PlainCue(start: start, end: end, text: plain(payload.joined(separator: "\n"))))
        }
        return cues
    }

    /// `H:MM:SS.cc` or `HH:MM:SS.mmm`.
    private func milliseconds(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":").map(String.init)
        guard parts.count == 3, let hours = Int(parts[0]), let minutes = Int(parts[1]),
            let seconds = Double(parts[2])
        else { return nil }
        return (hours * 60 + minutes) * 60_000 + Int((seconds * 1000).rounded())
    }
}
