import TestSupport
import Testing
import Undertext
import UndertextCore

/// `undertext sync`: what it finds, writes and refuses, for each family of formats.
@Suite struct SyncTests {
    let folder = TemporaryDirectory()

    /// Starts and ends of an invented film in milliseconds.
    private static func film(cues: Int = 90, seed: UInt64 = 5) -> [(start: Int, end: Int)] {
        var generator = SeededGenerator(seed: seed)
        var times: [(Int, Int)] = []
        var time = 30_000
        for index in 0..<cues {
            let length = Int.random(in: 90...350, using: &generator) * 10
            times.append((time, time + length))
            time += length + Int.random(in: 5...120, using: &generator) * 10
            if index % 9 == 8 { time += Int.random(in: 200...1500, using: &generator) * 10 }
        }
        return times
    }

    private static func clock(_ milliseconds: Int, _ mark: String = ",") -> String {
        let parts = [
            milliseconds / 3_600_000, milliseconds / 60_000 % 60, milliseconds / 1000 % 60,
        ]
        return parts.map { zeroPadded($0, to: 2) }.joined(separator: ":") + mark
            + zeroPadded(milliseconds % 1000, to: 3)
    }

    /// A SubRip file whose cues are later by a number of milliseconds.
    private func subRip(
        _ times: [(start: Int, end: Int)], later: Int = 0, text: (Int) -> String = { "cue \($0)" }
    ) -> String {
        times.enumerated().map { index, time in
            "\(index + 1)\n\(Self.clock(time.start + later)) --> \(Self.clock(time.end + later))\n"
                + "\(text(index))\n\n"
        }.joined()
    }

    private func sync(_ arguments: String...) -> ToolResult {
        run(Command.path, ["sync"] + arguments)
    }

    // MARK: Results

    @Test func everythingButTheTimesOfSubRipStays() {
        let film = Self.film()
        let text: (Int) -> String = { "<i>cue \($0)</i>\n{\\an8}<b>unclosed & odd <x>" }
        let file = folder.write(subRip(film, later: 12_340, text: text), to: "late.srt")
        let reference = folder.write(subRip(film) { "línea \($0)" }, to: "film.es.srt")
        let result = sync(file, "--to", reference, "-o", folder / "out.srt")
        #expect(result.status == 0, "\(result.stderr)")
        #expect(fileText(folder / "out.srt") == subRip(film, text: text))
        #expect(result.stderr.contains("offset -12.340 s"))
        #expect(result.stderr.contains("90 of 90 cues match"))
        #expect(result.stdout.isEmpty)
    }

    @Test func speedsAndBreaksAreFoundAndReported() throws {
        let film = Self.film(cues: 150)
        let reference = folder.write(subRip(film), to: "film.srt")
        // Made for 25 frames a second, and with advertisements of 20 seconds before cue 80.
        let fast = film.enumerated().map { index, time in
            let more = index < 80 ? 0 : 20_000
            return (start: (time.start + more) * 960 / 1001, end: (time.end + more) * 960 / 1001)
        }
        let file = folder.write(subRip(fast), to: "fast.srt")
        let dry = sync("--dry-run", "--report", folder / "a.json", file, "--to", reference)
        #expect(dry.status == 0, "\(dry.stderr)")
        #expect(dry.text.contains("25:23.976"))
        #expect(dry.text.split(separator: "\n").count { $0.contains("  from ") } == 2)
        let json = try JSON(parsing: #require(fileBytes(folder / "a.json")))
        #expect(json["status"] == .string("found"))
        let alignment = try #require(json["alignment"])
        #expect(alignment["speed"]?["rates"] == .string("25:23.976"))
        #expect(alignment["segments"]?.elements.map { $0["cues"]?.wholeNumber } == [80, 70])
        #expect(try #require(alignment["confidence"]?.fraction) > 0.95)
        #expect(json["subtitle"]?["cues"]?.wholeNumber == 150)
        let one = sync(
            "--no-breaks", "--dry-run", "--report", "-", "--min-confidence", "0", file, "--to",
            reference)
        #expect(try JSON(parsing: one.stdout)["alignment"]?["segments"]?.elements.count == 1)
    }

    @Test func anotherFilmIsRefused() throws {
        let file = folder.write(subRip(Self.film(seed: 1)), to: "a.srt")
        let reference = folder.write(subRip(Self.film(seed: 2)), to: "b.srt")
        let result = sync(
            file, "--to", reference, "-o", folder / "out.srt", "--report", folder / "r.json")
        #expect(result.status == 1)
        #expect(result.stderr.contains("less than 80 %; nothing was written"))
        #expect(!exists(folder / "out.srt"))
        let json = try JSON(parsing: #require(fileBytes(folder / "r.json")))
        #expect(json["status"] == .string("refused") && json["exitCode"]?.wholeNumber == 1)
        #expect(json["outputs"]?.elements.isEmpty == true)
        // Two cues say nothing.
        let short = folder.write(subRip(Array(Self.film().prefix(2))), to: "short.srt")
        let few = sync(short, "--to", reference, "-o", folder / "out.srt")
        #expect(few.status == 1 && few.stderr.contains("too few to compare"))
    }

    @Test func existingOutputsStayUnlessReplaced() {
        let film = Self.film()
        let file = folder.write(subRip(film, later: 500), to: "late.srt")
        let reference = folder.write(subRip(film), to: "film.srt")
        let output = folder.write("kept", to: "out.srt")
        let refused = sync(file, "--to", reference, "-o", output)
        #expect(refused.status == 1 && refused.stderr.contains("--force"))
        #expect(sync("--skip-existing", file, "--to", reference, "-o", output).status == 0)
        #expect(fileText(output) == "kept")
        #expect(sync("--force", file, "--to", reference, "-o", output).status == 0)
        #expect(fileText(output) == subRip(film))
        // Neither side is replaced.
        #expect(sync("--force", file, "--to", reference, "-o", file).status == 64)
        #expect(sync("--force", file, "--to", reference, "-o", reference).status == 64)
        #expect(fileText(reference) == subRip(film))
    }

    @Test func mistakesAreExplained() {
        let file = folder.write(subRip(Self.film()), to: "a.srt")
        #expect(sync(file, "--to", file).status == 64)
        #expect(sync("-", "--to", file, "-o", folder / "b.srt").status == 64)
        #expect(sync(file, "--to", file, "--speed", "fast", "--dry-run").status == 64)
        #expect(sync(file, "--to", file, "--max-offset", "-1", "--dry-run").status == 64)
        #expect(sync(file, "--to", file, "--min-confidence", "2", "--dry-run").status == 64)
        #expect(sync(file, "--to", file, "-o", folder / "b.unknown").status == 64)
        #expect(sync(file, "--to", folder / "none.mkv", "--dry-run").status == 1)
        #expect(sync(file, "--to", file, "--track", "7", "--dry-run").status == 2)
    }

    // MARK: Formats

    @Test func timestampsWithinWebVTTCuesMoveAlong() {
        let film = Self.film()
        func webVTT(later: Int) -> String {
            "WEBVTT\n\nSTYLE\n::cue { color: lime }\n\nNOTE kept\n\n"
                + film.enumerated().map { index, time in
                    "id \(index)\n\(Self.clock(time.start + later, ".")) --> "
                        + "\(Self.clock(time.end + later, ".")) line:10% align:start\n"
                        + "<c.a>one</c> <\(Self.clock(time.start + 300 + later, "."))>two\n\n"
                }.joined()
        }
        let file = folder.write(webVTT(later: 45_670), to: "late.vtt")
        let reference = folder.write(subRip(film), to: "film.srt")
        let result = sync(file, "--to", reference, "-o", folder / "out.vtt")
        #expect(result.status == 0, "\(result.stderr)")
        let lines = { (text: String?) in (text ?? "").split(separator: "\n") }
        #expect(lines(fileText(folder / "out.vtt")) == lines(webVTT(later: 0)))
    }

    @Test func karaokeOfScriptsMovesWithItsEvent() throws {
        let film = Self.film()
        func centiseconds(_ milliseconds: Int) -> String {
            "\(milliseconds / 3_600_000):\(zeroPadded(milliseconds / 60_000 % 60, to: 2)):"
                + "\(zeroPadded(milliseconds / 1000 % 60, to: 2)).\(zeroPadded(milliseconds / 10 % 100, to: 2))"
        }
        func script(later: Int) -> String {
            "[Script Info]\nScriptType: v4.00+\n; a comment\nPlayResX: 640\n\n[V4+ Styles]\n"
                + "Format: Name, Fontname, Fontsize\nStyle: Default,Arial,20\n\n[Events]\n"
                + "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
                + film.enumerated().map { index, time in
                    "Dialogue: 0,\(centiseconds(time.start + later)),\(centiseconds(time.end + later)),Default,,"
                        + "0,0,0,,{\\k20\\move(1,2,3,4,10,90)}la {\\kf30}\(index)\n"
                }.joined()
        }
        let file = folder.write(script(later: -8_760), to: "early.ass")
        let reference = folder.write(subRip(film), to: "film.srt")
        #expect(sync(file, "--to", reference, "-o", folder / "out.ass").status == 0)
        let written = try #require(fileText(folder / "out.ass"))
        let events = { (text: String) in
            text.split(separator: "\n").filter { $0.hasPrefix("Dialogue") }
        }
        #expect(events(written) == events(script(later: 0)))
        #expect(written.contains("; a comment") && written.contains("PlayResX: 640"))
    }

    @Test func timedTextMarkupIsWrittenAgain() throws {
        let film = Self.film()
        let markup =
            "<tt xmlns=\"http://www.w3.org/ns/ttml\"><body><div>"
            + film.enumerated().map { index, time in
                "<p begin=\"\(Self.clock(time.start + 2_500, "."))\" end=\"\(Self.clock(time.end + 2_500, "."))\">"
                    + "cue \(index)</p>"
            }.joined() + "</div></body></tt>"
        let file = folder.write(markup, to: "late.ttml")
        let reference = folder.write(subRip(film), to: "film.srt")
        #expect(sync(file, "--to", reference, "-o", folder / "out.ttml").status == 0)
        #expect(sync(file, "--to", reference, "-o", folder / "out.srt").status == 0)
        #expect(fileText(folder / "out.srt") == subRip(film))
        let again = run(Command.path, ["convert", folder / "out.ttml", folder / "again.srt"])
        #expect(again.status == 0 && fileText(folder / "again.srt") == subRip(film))
    }

    /// Images are copied: their packets differ in nothing but times.
    @Test func imagesAreNotEncodedAgain() throws {
        let film = Self.film(cues: 60)
        func document(later: Int) -> BitmapDocument {
            BitmapDocument(
                header: SubtitleHeader(canvas: PixelSize(width: 720, height: 576)),
                cues: film.enumerated().compactMap { index, time in
                    let pixels = [UInt8](repeating: 1, count: 16 * (index % 7 + 1))
                    let palette = [
                        RGBA(red: 0, green: 0, blue: 0, alpha: 0),
                        RGBA(red: 255, green: 255, blue: 255, alpha: 255),
                    ]
                    return IndexedBitmap(
                        width: 16, height: index % 7 + 1, indices: pixels, palette: palette
                    ).map { bitmap in
                        Cue(
                            order: index, start: .milliseconds(Int64(time.start + later)),
                            end: .milliseconds(Int64(time.end + later)),
                            content: .images(
                                CueImages(
                                    canvas: PixelSize(width: 720, height: 576),
                                    images: [PlacedBitmap(x: 100, y: 500, bitmap: bitmap)])))
                    }
                })
        }
        let reference = folder.write(subRip(film), to: "film.srt")
        for (format, endings) in [(BitmapFormat.sup, ["sup"]), (.vobSub, ["idx", "sub"])] {
            for (name, later) in [("late", 21_000), ("right", 0)] {
                let encoded = try document(later: later).encoded(as: format)
                for ending in endings {
                    _ = folder.write(
                        try #require(encoded.bytesByExtension[ending]), to: "\(name).\(ending)")
                }
            }
            let output = folder / "out.\(endings[0])"
            let result = sync(folder / "late.\(endings[0])", "--to", reference, "-o", output)
            #expect(result.status == 0, "\(result.stderr)")
            let times = { (path: String) in
                run(Command.path, ["convert", "--to", "json", path, "-"]).records("cue").map {
                    [$0["start"]?.fraction, $0["end"]?.fraction]
                }
            }
            #expect(times(output) == times(folder / "right.\(endings[0])"))
            #expect(times(output).count == 60)
            // As the reference of a text file.
            let late = folder.write(subRip(film, later: 3_210), to: "late.srt")
            #expect(sync("--force", late, "--to", output, "-o", folder / "out.srt").status == 0)
            #expect(fileText(folder / "out.srt") == subRip(film))
        }
    }

    @Test(.requires("ffmpeg"))
    func tracksOfMediaFilesAreReferences() throws {
        let film = Self.film()
        let right = folder.write(subRip(film), to: "right.srt")
        let other = folder.write(subRip(Self.film(seed: 9)), to: "other.srt")
        let media = run(
            "ffmpeg",
            [
                "-nostdin", "-loglevel", "error", "-i", other, "-i", right, "-map", "0", "-map",
                "1", "-c", "copy",
                "-metadata:s:0", "language=fre", "-metadata:s:1", "language=eng",
                folder / "film.mkv",
            ])
        #expect(media.status == 0, "\(media.stderr)")
        let file = folder.write(subRip(film, later: 7_000), to: "late.en.srt")
        let result = sync(file, "--to", folder / "film.mkv", "-o", folder / "out.srt")
        #expect(result.status == 0, "\(result.stderr)")
        #expect(result.stderr.contains("stream 1 (en, subrip)"))
        #expect(fileText(folder / "out.srt") == subRip(film))
        #expect(sync("--dry-run", file, "--to", folder / "film.mkv", "--track", "0").status == 1)
        #expect(
            sync("--dry-run", file, "--to", folder / "film.mkv", "--track", "eng+text").status == 0)
        #expect(
            sync("--dry-run", file, "--to", folder / "film.mkv", "--language", "fr").status == 1)
    }
}
