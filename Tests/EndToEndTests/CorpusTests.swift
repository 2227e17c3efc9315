import TestSupport
import Testing

/// Files that others made, and what independent tools take out of them.
@Suite struct CorpusTests {
    static let containers = [".mkv", ".mp4", ".ts", ".webm", ".mks"]

    static func mediaFiles() -> [String] {
        guard let corpus = corpusPath("") else { return [] }
        return files(below: corpus).filter { path in containers.contains { path.hasSuffix($0) } }
            .sorted()
    }

    /// Whatever the file, the command ends by itself with a code of the contract.
    @Test(.requiresCorpus()) func everyRunEndsWithACodeOfTheContract() {
        for path in Self.mediaFiles() {
            let folder = TemporaryDirectory()
            let result = Command.undertext("extract", "-o", folder.path, path)
            #expect([0, 1, 2, 3].contains(result.status), "\(path): \(result.stderr)")
            let made = files(below: folder.path)
            #expect(!made.contains { $0.hasSuffix("undertext-part") }, "\(path)")
            if result.status == 2 { #expect(made.isEmpty, "\(path)") }
        }
    }

    @Test(.requires("mkvextract"), .requiresCorpus()) func matroskaTextEqualsMkvextract() throws {
        var count = 0
        for path in Self.mediaFiles() where path.hasSuffix(".mkv") {
            count += try compare(path, codecs: ["subrip"]) { index, out in
                run("mkvextract", [path, "tracks", "\(index):\(out)"]).status <= 1
            }
        }
        #expect(count > 8)
    }

    @Test(.requires("ffmpeg"), .requiresCorpus()) func movTextEqualsFFmpeg() throws {
        var count = 0
        for path in Self.mediaFiles() where path.hasSuffix(".mp4") {
            count += try compare(path, codecs: ["mov_text"]) { index, out in
                let arguments = [
                    "-v", "error", "-y", "-i", path, "-map", "0:\(index)", "-c:s", "srt", "-f",
                    "srt", out,
                ]
                return run("ffmpeg", arguments).status == 0
            }
        }
        #expect(count > 6)
    }

    /// Compares our SubRip of each text track of `codecs` with the output of another tool.
    ///
    /// - Returns: the number of compared tracks.
    private func compare(
        _ path: String, codecs: Set<String>, extract: (Int, String) -> Bool
    ) throws -> Int {
        let folder = TemporaryDirectory()
        var count = 0
        let json = Command.undertext("extract", "--format", "jsonl", "-o", folder.path, path)
        guard json.status != 2 else { return 0 }
        for name in names(in: folder.path) where name.hasSuffix(".jsonl") {
            let lines = try #require(fileText(folder.path + "/" + name)).split(separator: "\n")
            let track = try #require(lines.first)
            guard let codec = jsonValue("codec", in: track), codecs.contains(codec),
                let index = jsonValue("track", in: track).flatMap({ Int($0) })
            else { continue }
            let ours = lines.filter { jsonValue("type", in: $0) == "cue" }.map(cue)
            let out = folder.path + "/other.srt"
            #expect(extract(index, out), "\(path)")
            let theirs = SubRipFile(try #require(fileBytes(out))).cues
            #expect(ours.count == theirs.count, "\(path), stream \(index)")
            for (our, their) in zip(ours, theirs) {
                #expect(
                    abs(our.start - their.start) <= 1, "\(path), stream \(index): \(our), \(their)")
                #expect(abs(our.end - their.end) <= 1, "\(path), stream \(index): \(our), \(their)")
                #expect(our.text == their.text, "\(path), stream \(index)")
            }
            count += 1
        }
        return count
    }

    private func cue(_ line: Substring) -> PlainCue {
        PlainCue(
            start: jsonMilliseconds("start", in: line),
            end: jsonMilliseconds("end", in: line),
            text: SubRipFile.plain(jsonValue("text", in: line) ?? ""))
    }
}

/// Times in milliseconds, and text without markup.
struct PlainCue: Equatable {
    var start: Int
    var end: Int
    var text: String
}

/// A plain reader of SubRip files, to compare with: not the one under test.
struct SubRipFile {
    var cues: [PlainCue] = []

    init(_ bytes: [UInt8]) {
        var text = String(decoding: bytes, as: UTF8.self)
        if text.hasPrefix("\u{FEFF}") { text.removeFirst() }
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        var index = 0
        while index < lines.count {
            guard let times = Self.times(lines[index]) else {
                index += 1
                continue
            }
            index += 1
            var body: [Substring] = []
            // A cue ends at a blank line that a number and a timing line follow, or the end.
            while index < lines.count, !Self.begins(lines, index) {
                body.append(lines[index])
                index += 1
            }
            let joined = body.joined(separator: "\n")
            cues.append(PlainCue(start: times.0, end: times.1, text: Self.plain(joined)))
        }
        cues.sort { ($0.start, $0.end) < ($1.start, $1.end) }
    }

    /// Text without tags, override codes, and blanks at its ends.
    static func plain(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let character = rest.first {
            if character == "<", let close = rest.firstIndex(of: ">"),
                isTag(rest[rest.index(after: rest.startIndex)..<close])
            {
                rest = rest[rest.index(after: close)...]
            } else if rest.hasPrefix("{\\"), let close = rest.firstIndex(of: "}") {
                rest = rest[rest.index(after: close)...]
            } else {
                result.append(character)
                rest = rest.dropFirst()
            }
        }
        while result.last?.isWhitespace == true { result.removeLast() }
        while result.first?.isWhitespace == true { result.removeFirst() }
        return result
    }

    private static func isTag(_ inside: Substring) -> Bool {
        let name = inside.drop { $0 == "/" }.prefix { $0.isLetter }.lowercased()
        return ["b", "i", "u", "s", "font"].contains(name)
    }

    private static func begins(_ lines: [Substring], _ index: Int) -> Bool {
        lines[index].isEmpty && index + 2 < lines.count && Int(lines[index + 1]) != nil
            && times(lines[index + 2]) != nil
    }

    private static func times(_ line: Substring) -> (Int, Int)? {
        guard let arrow = line.firstRange(of: " --> ") else { return nil }
        guard let start = time(line[..<arrow.lowerBound]), let end = time(line[arrow.upperBound...])
        else { return nil }
        return (start, end)
    }

    private static func time(_ text: Substring) -> Int? {
        let parts = text.prefix(12).split { $0 == ":" || $0 == "," || $0 == "." }.map { Int($0) }
        guard parts.count == 4, let hours = parts[0], let minutes = parts[1],
            let seconds = parts[2], let millis = parts[3]
        else { return nil }
        return ((hours * 60 + minutes) * 60 + seconds) * 1000 + millis
    }
}
