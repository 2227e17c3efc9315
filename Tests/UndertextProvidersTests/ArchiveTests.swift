import TestSupport
import Testing
import UndertextCore

@testable import UndertextProviders

/// Zip archives and other ways to send a subtitle; none may cost more than it should.
@Suite struct ArchiveTests {
    private let query = OnlineQuery(text: "A Film")

    /// An archive that python's zipfile makes: names and contents by turns.
    private func zip(_ entries: [(String, String)], stored: Bool = false) -> [UInt8] {
        let script = """
            import sys, zipfile
            out = zipfile.ZipFile(sys.stdout.buffer, "w", zipfile.\(stored ? "ZIP_STORED" : "ZIP_DEFLATED"))
            for name, data in zip(sys.argv[1::2], sys.argv[2::2]): out.writestr(name, data)
            out.close()
            """
        return run("python3", ["-c", script] + entries.flatMap { [$0.0, $0.1] }).stdout
    }

    private func code(_ work: () throws -> Void) -> UndertextError.Code? {
        do {
            try work()
            return nil
        } catch {
            return (error as? UndertextError)?.code
        }
    }

    @Test(.requires("python3"), arguments: [false, true])
    func readsStoredAndDeflated(_ stored: Bool) throws {
        let text = String(repeating: "Some words. ", count: 500)
        let bytes = zip([("a/b.srt", text), ("empty.srt", ""), ("dir/", "")], stored: stored)
        let archive = try ZipArchive(bytes)
        #expect(archive.entries.map(\.name) == ["b.srt", "empty.srt"])
        #expect(try archive.contents(of: archive.entries[0], limit: 6000) == Array(text.utf8))
        #expect(try archive.contents(of: archive.entries[1], limit: 0) == [])
        #expect(code { _ = try archive.contents(of: archive.entries[0], limit: 5999) } == .limit)
        // A comment after it, and one that looks like an end.
        var commented = bytes
        commented[commented.count - 2] = 6
        #expect(try ZipArchive(commented + Array("PK\u{5}\u{6}ab".utf8)).entries.count == 2)
    }

    @Test(.requires("python3")) func namesLoseTheirFolders() throws {
        let names = [
            "../../evil.srt", "/etc/passwd", "C:\\windows\\evil.txt", "a/..", ".", "..", "ok.srt",
        ]
        let bytes = zip(names.map { ($0, "x") })
        #expect(
            try ZipArchive(bytes).entries.map(\.name)
                == ["evil.srt", "passwd", "evil.txt", "ok.srt"])
    }

    /// The sizes of an entry are claims: more than them never comes out.
    @Test(.requires("python3")) func claimsAreChecked() throws {
        let text = String(repeating: "a", count: 100_000)
        let bytes = zip([("a.srt", text)])
        let start = try #require(
            bytes.indices.first { bytes[$0...].starts(with: [0x50, 0x4B, 1, 2]) })
        func changed(_ offset: Int, _ value: [UInt8]) -> [UInt8] {
            var copy = bytes
            copy.replaceSubrange(start + offset..<start + offset + value.count, with: value)
            return copy
        }
        func read(_ bytes: [UInt8]) throws {
            let archive = try ZipArchive(bytes)
            _ = try archive.contents(of: archive.entries[0], limit: 1 << 20)
        }
        #expect(code { try read(bytes) } == nil)
        #expect(code { try read(changed(24, [10, 0, 0, 0])) } == .malformedAnswer)
        #expect(code { try read(changed(24, [0, 0, 4, 0])) } == .malformedAnswer)
        #expect(code { try read(changed(24, [0, 0, 0, 9])) } == .limit)
        #expect(code { try read(changed(24, [255, 255, 255, 255])) } == .unsupported)
        #expect(code { try read(changed(20, [0, 0, 0, 9])) } == .malformedAnswer)
        #expect(code { try read(changed(16, [1, 2, 3, 4])) } == .malformedAnswer)
        #expect(code { try read(changed(10, [12, 0])) } == .unsupported)
        #expect(code { try read(changed(8, [1, 0])) } == .unsupported)
        #expect(code { try read(changed(42, [255, 255, 0, 0])) } == .malformedAnswer)
        #expect(code { try read(changed(28, [255, 255])) } == .malformedAnswer)
    }

    @Test func manyEntriesAreRefused() throws {
        let end: [UInt8] = [0x50, 0x4B, 5, 6, 0, 0, 0, 0]
        #expect(
            code {
                _ = try ZipArchive(end + [0, 0x20, 0, 0x20] + [UInt8](repeating: 0, count: 10))
            } == .limit)
        #expect(try ZipArchive(end + [UInt8](repeating: 0, count: 14)).entries.isEmpty)
        #expect(
            code {
                _ = try ZipArchive(end + [1, 0, 1, 0] + [UInt8](repeating: 0, count: 10))
            } == .malformedAnswer)
        #expect(
            code {
                _ = try ZipArchive(end + [1, 0, 2, 0] + [UInt8](repeating: 0, count: 10))
            } == .unsupported)
    }

    @Test(.requires("python3")) func damageIsAnErrorOrAnArchive() throws {
        let bytes = zip([("a.idx", "one"), ("b.srt", String(repeating: "ab", count: 99))])
        var outcomes: Set<String> = []
        func open(_ bytes: [UInt8]) {
            outcomes.insert(
                code {
                    _ = try SubtitlePayload(bytes: bytes, name: "x.srt", limit: 1 << 20)
                        .download(for: query)
                }?.name ?? "fine")
        }
        for damaged in truncations(of: bytes) where damaged.count > 4 {
            #expect(throws: UndertextError.self) { try ZipArchive(damaged) }
        }
        for damaged in bitFlips(of: bytes, count: 3000) { open(damaged) }
        #expect(outcomes.isSuperset(of: ["fine", "malformed-answer"]), "\(outcomes)")
    }

    @Test func filesAreRecognizedByTheirContent() {
        func ending(_ text: String, _ name: String = "a.txt") -> String {
            SubtitleFileKind.fileExtension(of: Array(text.utf8), named: name)
        }
        #expect(ending("WEBVTT\n", "a.srt") == "vtt")
        #expect(ending("\u{FEFF}[Script Info]\n[V4+ Styles]", "a.srt") == "ass")
        #expect(ending("[Script Info]\n[V4 Styles]") == "ssa")
        #expect(ending("<?xml version=\"1.0\"?><tt xmlns=\"http://www.w3.org/ns/ttml\">") == "ttml")
        #expect(ending("<SAMI>") == "smi")
        #expect(ending("# VobSub index file, v7") == "idx")
        #expect(ending("1\n00:00:01,000 --> 00:00:02,000") == "srt")
        #expect(ending("{1}{2}text", "a.SUB") == "sub")
        #expect(ending("[00:01.00]text") == "lrc")
        #expect(ending("text", "a.sbv") == "sbv")
        #expect(ending("", "../../x") == "srt")
        #expect(ending("x", "a.exe") == "srt")
        // UTF-16 with its mark.
        let wide = Array("[Script Info]".utf8).flatMap { [$0, UInt8(0)] }
        #expect(SubtitleFileKind.fileExtension(of: [0xFF, 0xFE] + wide, named: "a.srt") == "ass")
    }

    @Test func theRightFileOfAPackIsChosen() {
        func chosen(_ names: [String], _ query: OnlineQuery) -> [String] {
            FileChoice.ranked(names, for: query).map { names[$0] }
        }
        var query = OnlineQuery(text: "A Show S01E02")
        query.languages = ["en", "zh-Hans"].compactMap { LanguageTag($0) }
        #expect(
            chosen(
                [
                    "readme.txt", "a.show.s01e03.eng.srt", "a.show.s01e02.cht.srt", "cover.jpg",
                    "a.show.s01e02.简体.ass", "a.show.s01e02.srt", "a.show.s01e02.英文.ass",
                ], query)
                == [
                    "a.show.s01e02.英文.ass", "a.show.s01e02.简体.ass", "a.show.s01e02.srt",
                    "a.show.s01e02.cht.srt", "a.show.s01e03.eng.srt", "readme.txt",
                ])
        #expect(chosen(["a.mkv", "b"], query).isEmpty)
        #expect(FileChoice.languages(in: "The.Film.is.on.eng").map(\.rawValue).last == "en")
    }
}
