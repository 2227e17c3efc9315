import TestSupport
import Testing

/// Documents, encodings and extraction through the C library, as programs in C use them.
@Suite(.requires("gcc", "valgrind")) struct DocumentTests {
    private func check(_ arguments: String..., options: String? = nil) throws {
        let program = try #require(CLibrary.program("document.c"))
        let result = CLibrary.checked(program, arguments, environment: ["VALGRIND_OPTS": options])
        #expect(result.status == 0, "\(result.stderr)")
    }

    @Test func cuesAreMadeAndEncoded() throws { try check("made") }

    @Test func structsOfEarlierHeadersAreFilledInPart() throws { try check("earlier") }

    @Test func tracksAreExtracted() throws {
        let folder = TemporaryDirectory()
        // The metadata of generic structs looks uninitialized to valgrind (Documentation/C.md).
        try check(
            "extract", fixture("containers/movie.mkv"), folder / "out",
            options: "--undef-value-errors=no")
    }

    @Test func documentsAreDrawn() throws { try check("draw", fixture("subtitles/bitmaps.sup")) }

    @Test func theExampleConverts() throws {
        let program = try #require(CLibrary.example("c/convert.c", compiler: "gcc"))
        let result = CLibrary.checked(program, [fixture("subtitles/signs.ass"), "vtt"])
        #expect(result.status == 0 && result.text.hasPrefix("WEBVTT"), "\(result.stderr)")
        #expect(result.stderr.contains("\"kind\":\"drawing\""))
        let later = CLibrary.checked(program, [fixture("subtitles/en.srt"), "srt", "2"])
        #expect(later.text.hasPrefix("1\n00:00:03,000 -->"), "\(later.text)")
        let wrong = CLibrary.checked(program, [fixture("subtitles/en.srt"), "sup"])
        #expect(wrong.status == 1 && wrong.stderr.contains("remedy: set format "))
    }
}
