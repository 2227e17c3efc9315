import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

/// The conformance set, and what is repaired.
@Suite struct EBUSTLReaderTests {
    @Test(arguments: EBUSTLFile.fixtures) func conformance(_ name: String) throws {
        let expected = try #require(fileText(Repository.root + "/Fixtures/stl/\(name).cues"))
        let file = try EBUSTLFile(fixture: name)
        #expect(file.cues == expected.split(separator: "\n").map(String.init))
    }

    @Test func wellFormedFilesAreNotReported() throws {
        let notes = [
            "extension": ["user-data"], "comments": ["comment", "empty-cue"],
            "early": ["programme-start"],
        ]
        for name in EBUSTLFile.fixtures where name != "damaged" {
            let file = try EBUSTLFile(fixture: name)
            #expect(file.codes == notes[name] ?? [], "\(name)")
            #expect(file.diagnostics.allSatisfy { $0.severity == .info })
        }
    }

    @Test func damageIsReported() throws {
        let file = try EBUSTLFile(fixture: "damaged")
        let errors = file.diagnostics.filter { $0.severity == .error }.map(\.code)
        #expect(errors.sorted() == ["bad-timing", "invalid-character", "missing-block"])
        #expect(
            Set(file.codes).subtracting(errors) == [
                "frame-rate-assumed", "negative-duration", "padding", "cumulative-status",
                "block-count", "unknown-characters",
            ])
        let missing = file.diagnostics.first { $0.code == "missing-block" }
        #expect(missing?.byteOffset == 1536)
    }

    @Test func headers() throws {
        let file = try EBUSTLFile(fixture: "teletext")
        #expect(file.reader.stream.language?.rawValue == "en")
        #expect(file.reader.stream.title == "Die große Prüfung")
        #expect(
            file.reader.tags.map { "\($0.key)=\($0.value)" } == [
                "title=Die große Prüfung", "episode=Folge 1", "creation_date=240229",
                "revision_date=240301", "revision=02", "country=GBR", "publisher=Nobody",
            ])
        #expect(try EBUSTLFile(fixture: "greek").reader.stream.language?.rawValue == "el")
        #expect(try EBUSTLFile(fixture: "thirty_frames").packets[0].timeBase == TimeBase(1, 30))
    }

    @Test(
        arguments: [
            ("STL23.01", 24_000, 1001), ("STL24.01", 24, 1), ("STL29.01", 30_000, 1001),
            ("STL30.01", 30, 1), ("STL50.01", 50, 1), ("STL60.01", 60, 1),
        ] as [(String, Int32, Int32)])
    func frameRates(_ code: String, _ frames: Int32, _ seconds: Int32) throws {
        var bytes = try EBUSTLFile.bytes(ofFixture: "sides")
        bytes.replaceSubrange(3..<11, with: code.utf8)
        let file = try EBUSTLFile(bytes)
        #expect(file.packets.first?.timeBase == TimeBase(seconds, frames) && file.codes.isEmpty)
        let stated = try EBUSTLFile(bytes, frameRate: TimeBase(48, 1))
        #expect(stated.packets.first?.timeBase == TimeBase(1, 48))
    }

    /// A file of open subtitles with a start of the program, a time code in and out of each, and a text.
    private func file(
        start: String = "00000000", _ subtitles: [(in: [UInt8], out: [UInt8], text: [UInt8])]
    ) throws -> [UInt8] {
        var bytes = Array(try EBUSTLFile.bytes(ofFixture: "open").prefix(EBUSTLHeader.size))
        let count = "0000\(subtitles.count)"
        bytes.replaceSubrange(238..<251, with: (count + count + "001").utf8)
        bytes.replaceSubrange(256..<264, with: start.utf8)
        for (number, subtitle) in subtitles.enumerated() {
            bytes += [0, UInt8(number), 0, 0xFF, 0] + subtitle.in + subtitle.out + [20, 2, 0]
            bytes += subtitle.text
            let rest = EBUSTLBlock.textSize - subtitle.text.count
            bytes += [UInt8](repeating: EBUSTLBlock.unusedSpace, count: rest)
        }
        return bytes
    }

    private func seconds(_ file: EBUSTLFile) -> [String] {
        let offset = file.reader.programStart ?? .zero
        return file.drafts.map { cue in
            let start = (cue.start.nanoseconds - offset.nanoseconds) / 1_000_000_000
            let end = cue.end.map { ($0.time.nanoseconds - offset.nanoseconds) / 1_000_000_000 }
            return "\(start)-\(end.map { "\($0)" } ?? "")"
        }
    }

    @Test func timeCodesPassMidnight() throws {
        let words = Array("words".utf8)
        let night = try EBUSTLFile(
            file(
                start: "23595000",
                [
                    ([23, 59, 55, 0], [23, 59, 57, 0], words),
                    ([0, 0, 5, 0], [0, 0, 7, 0], words),
                    ([23, 59, 58, 0], [0, 0, 2, 0], words),
                ]))
        #expect(seconds(night) == ["5-7", "15-17", "8-12"])
        #expect(Set(night.codes) == ["midnight"])
        // The first subtitle is after midnight.
        let late = try EBUSTLFile(
            file(start: "23595000", [([0, 0, 5, 0], [0, 0, 7, 0], words)]))
        #expect(seconds(late) == ["15-17"] && late.codes == ["midnight"])
        // Neither a wrong start of the program nor an unset time code out is a night.
        let early = try EBUSTLFile(
            file(start: "20000000", [([0, 0, 5, 0], [0, 0, 7, 0], words)]))
        #expect(seconds(early) == ["5-7"] && early.codes == ["programme-start"])
        let open = try EBUSTLFile(file([([20, 0, 0, 0], [0, 0, 0, 0], words)]))
        #expect(seconds(open) == ["72000-"] && open.codes == ["negative-duration"])
    }

    @Test func invalidStartsOfThePrograms() throws {
        let cue: [(in: [UInt8], out: [UInt8], text: [UInt8])] = [
            ([0, 0, 5, 0], [0, 0, 7, 0], Array("words".utf8))
        ]
        let invalid = try EBUSTLFile(file(start: "99999999", cue))
        #expect(invalid.codes == ["programme-start"])
        #expect(invalid.diagnostics.first?.severity == .warning)
        #expect(seconds(invalid) == ["5-7"])
        #expect(try EBUSTLFile(file(start: "        ", cue)).codes.isEmpty)
    }

    /// Teletext codes last until the end of their row, for every display standard.
    @Test func colorsEndWithTheirRow() throws {
        let text = Array("A".utf8) + [0x01] + Array("B".utf8) + [0x8A] + Array("C".utf8)
        let found = try EBUSTLFile(file([([0, 0, 1, 0], [0, 0, 2, 0], text)]))
        #expect(found.cues.first?.hasSuffix("A [red]B|[/]C") == true, "\(found.cues)")
    }

    @Test func unknownDiskFormatCodes() throws {
        var bytes = try EBUSTLFile.bytes(ofFixture: "sides")
        bytes.replaceSubrange(3..<11, with: "XXXXXXXX".utf8)
        #expect(SubtitleFormat.recognizedBinary(bytes[...]) == .ebuSTL)
        let file = try EBUSTLFile(bytes)
        #expect(file.packets.first?.timeBase == TimeBase(1, 25))
        #expect(file.codes == ["frame-rate-assumed"])
        // Without the numbers of a header it may be anything.
        bytes.replaceSubrange(238..<243, with: "words".utf8)
        #expect(SubtitleFormat.recognizedBinary(bytes[...]) == nil)
    }

    @Test func numbersOfOneBlockAreSingular() throws {
        let words = Array("words".utf8)
        var bytes = try file([
            ([0, 0, 1, 0], [0, 0, 2, 0], words), ([0, 0, 3, 0], [0, 0, 4, 0], words),
        ])
        bytes.replaceSubrange(238..<243, with: "00001".utf8)
        #expect(
            try EBUSTLFile(bytes).diagnostics.map(\.message)
                == ["the header states 1 block, the file has 2"])
    }

    /// The signature is the disk format code; text in any charset has none.
    @Test func signatures() throws {
        let bytes = try EBUSTLFile.bytes(ofFixture: "open")
        #expect(SubtitleFormat.recognizedBinary(bytes[...]) == .ebuSTL)
        #expect(SubtitleFormat.recognizedBinary(bytes[...], claimed: .subRip) == nil)
        let spruce = Array("$FontName = Arial\n00:00:01:00 , 00:00:02:00 , STL25.01\n".utf8)
        #expect(SubtitleFormat.recognizedBinary(spruce[...]) == nil)
        #expect(SubtitleFormat.recognizedBinary([]) == nil)
    }

    @Test func languageCodes() {
        for code in 0...0x7F {
            let text = String(code, radix: 16).uppercased()
            let digits = text.utf8.count < 2 ? "0" + text : text
            guard let tag = EBUSTLLanguage.tag(code: Array(digits.utf8)[...]) else { continue }
            #expect(EBUSTLLanguage.code(of: tag) == digits, "\(tag.rawValue)")
        }
        #expect(EBUSTLLanguage.code(of: LanguageTag("de-AT")) == "08")
        #expect(EBUSTLLanguage.code(of: LanguageTag("tlh")) == "00")
        #expect(EBUSTLLanguage.code(of: nil) == "00")
        #expect(EBUSTLLanguage.country(of: LanguageTag("de-AT")) == "AUT")
        #expect(EBUSTLLanguage.country(of: LanguageTag("zh-Hant")) == nil)
    }

    // MARK: Robustness

    /// Checks the properties of any file.
    private func check(_ bytes: [UInt8]) throws {
        let file = try EBUSTLFile(bytes)
        for packet in file.packets {
            #expect(packet.start != nil && (packet.duration ?? 1) > 0)
            #expect(packet.data.count % 128 == 0 && packet.data.count <= bytes.count)
        }
        #expect(file.diagnostics.allSatisfy { !$0.message.isEmpty && $0.streamIndex == 0 })
    }

    @Test func truncatedFiles() throws {
        for name in ["extension", "cumulative", "damaged"] {
            let bytes = try EBUSTLFile.bytes(ofFixture: name)
            let whole = try EBUSTLFile(bytes)
            for length in 0..<bytes.count {
                let part = Array(bytes.prefix(length))
                try check(part)
                let file = try EBUSTLFile(part)
                let isWhole = length >= 1024 && (length - 1024) % 128 == 0
                #expect(file.codes.contains("truncated") != isWhole, "\(length)")
                // The end of a set, and of a subtitle of several blocks, may be missing.
                for (one, other) in zip(file.drafts.dropLast(), whole.drafts) {
                    #expect(one.start == other.start && one.content == other.content)
                }
            }
        }
    }

    @Test func flippedBits() throws {
        for (seed, name) in EBUSTLFile.fixtures.enumerated() {
            let bytes = try EBUSTLFile.bytes(ofFixture: name)
            for bytes in bitFlips(of: bytes, count: 150, seed: UInt64(seed + 1)) {
                try check(bytes)
            }
        }
    }

    @Test func limits() throws {
        var limits = Limits()
        limits.cues = 2
        let bytes = try EBUSTLFile.bytes(ofFixture: "teletext")
        let file = try EBUSTLFile(bytes, limits: limits)
        #expect(file.cues.count == 2 && file.codes.contains("too-many-cues"))
        limits = Limits()
        limits.packetSize = 300
        let long = try EBUSTLFile(try EBUSTLFile.bytes(ofFixture: "extension"), limits: limits)
        #expect(long.packets[0].data.count == 256 && long.codes.contains("long-cue"))
    }

    /// A block whose text changes its look with each letter.
    @Test func manyLooks() throws {
        var bytes = try EBUSTLFile.bytes(ofFixture: "extension")
        for offset in stride(from: 1024 + 16, to: bytes.count, by: 128) {
            for index in 0..<112 {
                bytes[offset + index] = index % 2 == 0 ? UInt8(index % 8) : 0x41
            }
        }
        let file = try EBUSTLFile(bytes)
        #expect(file.drafts.first.map { styledText($0.cue()).runs.count } ?? 0 > 100)
    }
}
