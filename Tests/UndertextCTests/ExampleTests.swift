import TestSupport
import Testing

/// The examples, run as a user without Swift would.
@Suite(.requires("gcc")) struct ExampleTests {
    @Test(.requires("valgrind")) func tracksAreListed() throws {
        let program = try #require(CLibrary.example("c/cues.c", compiler: "gcc"))
        let result = CLibrary.checked(program, [fixture("containers/movie.mkv")])
        #expect(result.status == 0, "\(result.stderr)")
        let lines = result.text.split(separator: "\n")
        #expect(lines.contains { $0.contains("subrip  en  text") }, "\(result.text)")
        #expect(lines.contains { $0.contains("hdmv_pgs_subtitle") && $0.contains("images") })
    }

    @Test(.requires("valgrind")) func cuesAreRead() throws {
        let program = try #require(CLibrary.example("c/cues.c", compiler: "gcc"))
        let result = CLibrary.checked(program, [fixture("subtitles/en.srt"), "0"])
        #expect(result.status == 0, "\(result.stderr)")
        let cues = result.text.split(separator: "\n").count { $0.contains(" --> ") }
        let stored = String(decoding: try fixtureBytes("subtitles/en.srt"), as: UTF8.self)
        #expect(cues == stored.split(separator: "\n").count { $0.contains(" --> ") })
        #expect(cues > 0)
    }

    @Test(.requires("valgrind")) func imagesAreRead() throws {
        let program = try #require(CLibrary.example("c/cues.c", compiler: "gcc"))
        let result = CLibrary.checked(program, [fixture("subtitles/bitmaps.sup"), "0"])
        #expect(result.status == 0, "\(result.stderr)")
        #expect(result.text.contains("image of "))
        #expect(!result.text.contains(", 0 pixels drawn"))
    }

    /// The C of the README is a whole program that prints the first track.
    @Test(.requires("valgrind")) func theReadmeIsRight() throws {
        let readme = try #require(fileText(Repository.root + "/README.md"))
        let blocks = readme.split(separator: "```c\n").dropFirst()
            .compactMap { $0.split(separator: "```", maxSplits: 1).first }
        #expect(blocks.count == 1)
        let folder = TemporaryDirectory()
        let source = folder.write(String(try #require(blocks.first)), to: "readme.c")
        let program = try #require(CLibrary.example(source, compiler: "gcc"))
        let result = CLibrary.checked(program, [fixture("containers/movie.mkv")])
        #expect(result.status == 0, "\(result.stderr)")
        let stored = String(decoding: try fixtureBytes("subtitles/en.srt"), as: UTF8.self)
        let count = stored.split(separator: "\n").count { $0.contains(" --> ") }
        #expect(result.text.matches(of: #/(?m)^\d+\.\d{3} to \d+\.\d{3}: /#).count == count)
        #expect(count > 0)
        let missing = CLibrary.checked(program, ["/nowhere/film.mkv"])
        #expect(missing.status == 1)
        #expect(missing.states("/nowhere/film.mkv"))
    }

    @Test func theScreenAtATime() throws {
        let program = try #require(CLibrary.example("c/cues.c", compiler: "gcc"))
        let all = run(program, [fixture("subtitles/en.srt"), "0"])
        let first = try #require(all.text.split(separator: "\n").first { $0.contains(" --> ") })
        let words = first.split(separator: " ")
        let clock = words[0].split(separator: ":").compactMap { Double($0) }
        let start = clock[0] * 3600 + clock[1] * 60 + clock[2]
        let shown = run(program, [fixture("subtitles/en.srt"), "0", "\(start + 0.001)"])
        #expect(shown.text.contains(first))
        #expect(shown.text.contains("until \(words[2])"))
        let before = run(program, [fixture("subtitles/en.srt"), "0", "\(start - 0.001)"])
        #expect(!before.text.contains(" --> "))
        #expect(before.text.contains("until \(words[0])"))
    }

    @Test(.requires("valgrind")) func failuresAreReported() throws {
        let program = try #require(CLibrary.example("c/cues.c", compiler: "gcc"))
        let missing = CLibrary.checked(program, ["/nowhere/film.mkv"])
        #expect(missing.status == 1)
        #expect(missing.states("/nowhere/film.mkv"))
        let wrong = CLibrary.checked(program, [fixture("subtitles/en.srt"), "7"])
        #expect(wrong.status == 1)
        #expect(wrong.states("7"))
    }

    @Test(.requires("valgrind")) func changesAreFollowed() throws {
        let program = try #require(CLibrary.example("c/events.c", compiler: "gcc"))
        let result = CLibrary.checked(program, [fixture("containers/movie.mkv"), "en"])
        #expect(result.status == 0, "\(result.stderr)")
        let stored = String(decoding: try fixtureBytes("subtitles/en.srt"), as: UTF8.self)
        let cues = stored.split(separator: "\n").count { $0.contains(" --> ") }
        // Each cue appears once, at its start.
        let shown = result.text.matches(of: #/(?m)^\d+\.\d{3} \[/#).count
        #expect(shown >= cues && cues > 0, "\(result.text)")
        let missing = CLibrary.checked(program, ["/nowhere/film.mkv", "en"])
        #expect(missing.status == 1)
    }

    @Test(.requires("valgrind")) func overlaysAreDrawn() throws {
        let program = try #require(CLibrary.example("c/overlay.c", compiler: "gcc"))
        let folder = TemporaryDirectory()
        folder.write(try fixtureBytes("subtitles/bitmaps.sup"), to: "film.en.sup")
        let listed = run(
            try #require(CLibrary.example("c/cues.c", compiler: "gcc")),
            [folder / "film.en.sup", "0"])
        let first = try #require(listed.text.split(separator: "\n").first)
        let clock = first.prefix(12).split(separator: ":").compactMap { Double($0) }
        let time = "\(clock[0] * 3600 + clock[1] * 60 + clock[2] + 0.01)"
        let drawn = run(program, [folder / "film.en.sup", "en", time, "1920x1080"])
        #expect(drawn.status == 0, "\(drawn.stderr)")
        let head = Array("P7\nWIDTH 1920\nHEIGHT 1080\n".utf8)
        #expect(drawn.stdout.starts(with: head))
        // Something of it is opaque.
        #expect(drawn.stdout.count > 1920 * 1080 * 4)
        let alphas = stride(from: drawn.stdout.count - 1, to: 200, by: -4)
        #expect(alphas.contains { drawn.stdout[$0] == 255 })
        let preview = run(program, [folder / "film.en.sup", "en", "preview", "1920x1080"])
        #expect(preview.status == 0, "\(preview.stderr)")
        #expect(preview.stdout == drawn.stdout)
    }
}
