import Testing

/// A strict reader of WebVTT files for tests, written from the specification's syntax rules.
///
/// W3C WebVTT, section 4: what an author may write, not what a parser tolerates.
struct StrictWebVTT {
    struct Cue: Equatable {
        var id = ""
        var start: Int64 = 0
        var end: Int64 = 0
        var settings: [String: String] = [:]
        var text = ""
    }

    struct Problem: Error, CustomStringConvertible {
        var description: String
    }

    var styles: [String] = []
    var regions: [[String]] = []
    var comments: [String] = []
    var cues: [Cue] = []

    init(_ bytes: [UInt8]) throws {
        let file = try #require(String(validating: bytes, as: UTF8.self), "not UTF-8")
        guard !file.utf8.contains(0x0D), !file.utf8.contains(0) else {
            throw Problem(description: "carriage return or NUL")
        }
        let lines = file.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let first = lines.first, first == "WEBVTT" || first.hasPrefix("WEBVTT ") else {
            throw Problem(description: "no signature")
        }
        guard file.utf8.last == 0x0A else { throw Problem(description: "last line not ended") }
        let body = lines.dropFirst().drop { !$0.isEmpty }
        for block in body.split(separator: "", omittingEmptySubsequences: true) {
            try read(Array(block))
        }
    }

    private mutating func read(_ block: [String]) throws {
        let arrows = block.filter { $0.contains("-->") }.count
        if arrows == 0 {
            if block[0] == "STYLE" || block[0] == "REGION" {
                guard cues.isEmpty else { throw Problem(description: "\(block[0]) behind a cue") }
                if block[0] == "STYLE" {
                    styles.append(block.dropFirst().joined(separator: "\n"))
                } else {
                    regions.append(Array(block.dropFirst()))
                }
            } else if block[0].hasPrefix("NOTE") {
                comments.append(block.joined(separator: "\n"))
            } else {
                throw Problem(description: "stray block \(block)")
            }
            return
        }
        guard arrows == 1, let place = block.firstIndex(where: { $0.contains("-->") }), place < 2
        else { throw Problem(description: "arrow out of place in \(block)") }
        var cue = Cue()
        if place == 1 { cue.id = block[0] }
        let parts = block[place].split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[1] == "-->" else {
            throw Problem(description: "timing line \(block[place])")
        }
        cue.start = try Self.time(parts[0])
        cue.end = try Self.time(parts[2])
        guard cue.end > cue.start else { throw Problem(description: "end before start") }
        if let last = cues.last, cue.start < last.start {
            throw Problem(description: "starts out of order")
        }
        for part in parts.dropFirst(3) {
            let halves = part.split(separator: ":", maxSplits: 1).map(String.init)
            guard halves.count == 2, cue.settings[halves[0]] == nil else {
                throw Problem(description: "setting \(part)")
            }
            try Self.check(halves[0], halves[1])
            cue.settings[halves[0]] = halves[1]
        }
        cue.text = block.dropFirst(place + 1).joined(separator: "\n")
        cues.append(cue)
    }

    private static func time(_ text: Substring) throws -> Int64 {
        let pattern = /(\d{2,}):([0-5]\d):([0-5]\d)\.(\d{3})/
        guard let match = text.wholeMatch(of: pattern), let hours = Int64(match.1),
            let minutes = Int64(match.2), let seconds = Int64(match.3),
            let fraction = Int64(match.4)
        else { throw Problem(description: "time \(text)") }
        return ((hours * 60 + minutes) * 60 + seconds) * 1000 + fraction
    }

    private static func check(_ name: String, _ value: String) throws {
        let percent = #"(100|\d{1,2}(\.\d+)?)%"#
        let grammar: [String: String] = [
            "vertical": "rl|lr",
            "line": #"(-?\d+(\.\d+)?|\#(percent))(,(start|center|end))?"#,
            "position": #"\#(percent)(,(line-left|center|line-right))?"#,
            "size": percent,
            "align": "start|center|end|left|right",
            "region": #"\S+"#,
        ]
        guard let pattern = grammar[name],
            try value.wholeMatch(of: Regex(pattern)) != nil
        else { throw Problem(description: "setting \(name):\(value)") }
    }
}
