import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// A cue as other projects expect it: times in milliseconds and text.
private struct Expected: Equatable, CustomStringConvertible {
    var start: Int64
    var end: Int64
    /// The text; `nil` if there is no expectation.
    var text: String?

    var description: String { "\(start)-\(end) \(text ?? "")" }

    init(_ start: Int64, _ end: Int64, _ text: String?) {
        (self.start, self.end, self.text) = (start, end, text)
    }

    init?(_ json: CorpusJSON) {
        guard json.elements.count == 3, case .number(let start) = json.elements[0],
            case .number(let end) = json.elements[1]
        else { return nil }
        self.init(Int64(start), Int64(end), json.elements[2].string)
    }

    func matches(_ other: Expected) -> Bool {
        start == other.start && end == other.end
            && (text == nil || other.text == nil || text == other.text)
    }
}

/// The text of a file in UTF-8 or in UTF-16 with a byte order mark.
private func utf8(_ bytes: [UInt8]) -> [UInt8] {
    let isLittle = bytes.starts(with: [0xFF, 0xFE])
    guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return bytes }
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
        UInt16(bytes[$0 + (isLittle ? 1 : 0)]) << 8 | UInt16(bytes[$0 + (isLittle ? 0 : 1)])
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
}

/// The decoded cues of a file; open ends are `-1`.
private func cues(_ name: String) throws -> (file: ReadTextFile, cues: [Expected]) {
    let path = try #require(corpusPath(name))
    let file = try ReadTextFile(SubRipFileReader.self, utf8(try #require(fileBytes(path))))
    var decoder = SubRipDecoder(stream: file.stream)
    var result: [Expected] = []
    for packet in file.packets {
        for case .cue(let draft) in decoder.decode(packet) {
            result.append(
                Expected(
                    draft.start.roundedMilliseconds, draft.end?.time.roundedMilliseconds ?? -1,
                    draft.cue().plainText))
        }
    }
    return (file, result)
}

@Suite(.requiresCorpus()) struct SubRipCorpusTests {
    /// The results where our policy differs from ExoPlayer's, with reasons.
    private static let differences: [String: [Expected]] = [
        // A fraction is a decimal fraction with any number of digits; the cues are kept.
        "typical_bad_timestamps": [
            Expected(0, 1234, "This is the first subtitle."),
            Expected(2345, 3456, "This should be discarded (too many decimal places)."),
            Expected(7_204_567, 7_208_900, "This should be discarded (too few decimal places)."),
        ],
        // Times before zero are valid: the engine shows the part after zero.
        "typical_negative_timestamps": [
            Expected(-4567, -3456, "This is the first subtitle."),
            Expected(
                -2345, 1234, "This is the second subtitle.\nSecond subtitle with second line."),
            Expected(7_204_567, 7_208_901, "This is the third subtitle."),
        ],
        // Times are enough: a missing number costs nothing. FFmpeg and VLC do the same.
        "typical_missing_sequence": [
            Expected(0, 1234, "This is the first subtitle."),
            Expected(
                2345, 3456, "This is the second subtitle.\nSecond subtitle with second line."),
            Expected(7_204_567, 7_208_901, "This is the third subtitle."),
        ],
    ]

    @Test func expectationsOfAndroidx() throws {
        let all = try CorpusJSON.load("androidx-media/expected/subrip.json").members
        var (compared, different) = (0, 0)
        for (name, value) in all where name != "_note" && name != "typical_with_tags" {
            let ours = try cues("androidx-media/subrip/\(name)").cues
            let list = value.elements.isEmpty ? value["exoplayer"]?.elements ?? [] : value.elements
            let theirs = list.compactMap { Expected($0) }
            #expect(theirs.count == list.count)
            if let own = Self.differences[name] {
                #expect(ours == own, "\(name)")
                different += 1
            } else {
                #expect(ours.count == theirs.count, "\(name)")
                for (our, their) in zip(ours, theirs) { #expect(our.matches(their), "\(name)") }
                compared += 1
            }
        }
        print("androidx SubRip: \(compared) equal, \(different) by another policy")
        #expect(compared == 9 && different == 3)
    }

    @Test func tagsOfAndroidx() throws {
        let all = try CorpusJSON.load("androidx-media/expected/subrip.json")
        let read = try cues("androidx-media/subrip/typical_with_tags")
        #expect(read.cues.count == 14)
        for (index, text) in (all["typical_with_tags"]?["texts_0_4"]?.elements ?? []).enumerated() {
            // The list has one space for a tag between two.
            let ours = read.cues[index].text?.split(separator: " ").joined(separator: " ")
            #expect(ours == text.string, "\(index)")
        }
        #expect(read.file.diagnostics.allSatisfy { $0.severity != .error })
    }

    @Test(arguments: [
        "androidx-media/subrip/typical_missing_timecode": [
            "missing-times", "bad-timing", "bad-timing",
        ],
        "androidx-media/subrip/typical_unexpected_end": ["cut-off"],
        "androidx-media/subrip/typical_bad_timestamps": ["fraction", "fraction"],
        "androidx-media/subrip/typical_negative_timestamps": [
            "negative-time", "negative-time",
        ],
        "androidx-media/subrip/typical_no_hours_and_millis": ["missing-hours", "fraction"],
        "androidx-media/subrip/typical_missing_sequence": ["missing-number"],
        "androidx-media/subrip/typical_extra_blank_line": [],
        "webvtt-py/tests/subtitles/missing_timeframe.srt": ["missing-times"],
        "webvtt-py/tests/subtitles/missing_caption_text.srt": ["empty-cue"],
        "webvtt-py/tests/subtitles/invalid_timeframe.srt": ["decimal-point"],
        "webvtt-py/tests/subtitles/invalid_format1.srt": ["cut-off"],
        "webvtt-py/tests/subtitles/invalid_format2.srt": ["stray-text"],
        "webvtt-py/tests/subtitles/invalid_format3.srt": ["missing-times"],
        "webvtt-py/tests/subtitles/invalid_format4.srt": [
            "stray-text", "missing-number", "empty-cue",
        ],
        "go-astisub/testdata/missing-sequence-in.srt": [],
    ])
    func diagnostics(_ name: String, _ codes: [String]) throws {
        let read = try cues(name)
        if codes.isEmpty {
            #expect(
                read.file.diagnostics.allSatisfy { $0.severity != .error }, "\(read.file.notes)")
        } else {
            #expect(Set(read.file.diagnostics.map(\.code)) == Set(codes), "\(read.file.notes)")
        }
    }

    @Test(arguments: [
        "webvtt-py/tests/subtitles/sample.srt": (5, 500, 23_880),
        "webvtt-py/tests/subtitles/one_caption.srt": (1, 500, 7000),
        "webvtt-py/tests/subtitles/missing_timeframe.srt": (4, 500, 23_880),
        "webvtt-py/tests/subtitles/missing_caption_text.srt": (4, 500, 23_880),
        "webvtt-py/tests/subtitles/invalid_timeframe.srt": (5, 500, 23_880),
        "mantas-subtitles/tests/files/srt.srt": (2, 137_400, 3_742_500),
        "mantas-subtitles/tests/files/srt_for_public_interface_test.srt": (2, 137_440, 142_501),
        "mantas-subtitles/tests/files/utf16.srt": (1, 0, 1000),
        "go-astisub/testdata/example-in.srt": (6, 99_000, 153_440),
        "go-astisub/testdata/example-in-carriage-return.srt": (3, 0, 14_066),
        "go-astisub/testdata/example-in-html-entities.srt": (3, 331, 9675),
        "go-astisub/testdata/example-in-non-utf8.srt": (6, 99_000, 153_440),
        "go-astisub/testdata/example-in-styled.srt": (10, 17_985, 780_000),
        "go-astisub/testdata/missing-sequence-in.srt": (6, 99_000, 153_440),
    ])
    func counts(_ name: String, _ expected: (Int, Int, Int)) throws {
        let read = try cues(name)
        #expect(read.cues.count == expected.0)
        #expect(read.cues.first.map { Int($0.start) } == expected.1)
        #expect(read.cues.last.map { Int($0.end) } == expected.2)
    }

    /// The library's own conversion has the same times and texts.
    @Test func astisubsOwnConversions() throws {
        for name in ["", "-html-entities", "-styled"] {
            let input = try cues("go-astisub/testdata/example-in\(name).srt")
            let output = try cues("go-astisub/testdata/example-out\(name).srt")
            #expect(input.cues == output.cues, "\(name)")
        }
    }
}
