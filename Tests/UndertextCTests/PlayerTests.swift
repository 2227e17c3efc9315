import TestSupport
import Testing

/// The example player under a real X server: what its window shows at known times.
@Suite struct PlayerTests {
    @Test(
        .requires("Xvfb", "gcc", "ffmpeg", "tesseract", "python3"),
        .enabled(
            if: run("pkg-config", ["--exists", "mpv"]).status == 0, "not installed: libmpv-dev"))
    func subtitlesAreSeenInTheWindow() throws {
        let program = try #require(
            CLibrary.example(
                "mpv/undertext-mpv.c", compiler: "gcc", packages: ["undertext", "mpv"]))
        #expect(run(program, ["--help"]).stdout.isEmpty == false)
        #expect(run(program, ["--nonsense"]).status == 64)
        #expect(run(program, ["a.mkv", "--events", "playing,nonsense"]).status == 64)
        #expect(run(program, ["a.mkv", "--batch", "-1"]).status == 64)
        let folder = TemporaryDirectory()
        try film(in: folder)
        let screen = try #require(VirtualScreen(width: 640, height: 360))
        let player = try #require(
            Player(program, folder / "film.mkv", on: screen, options: ["--lang", "en"]))

        // The playback position and the origin of the subtitles.
        for line in [
            "item \(folder.path)/film.mkv", "status loading", "status ready", "duration 10.0",
            "paused yes", "rate 1.000", "muted no", "looping no",
        ] {
            #expect(player.tells(line))
        }
        player.send("set", "volume", "50")
        #expect(player.tells("volume 0.500"))
        player.send("set", "speed", "1.5")
        #expect(player.tells("rate 1.500"))

        // Text of the file beside the video, found by its name.
        player.send("seek", "2", "absolute+exact")
        #expect(player.tells("seeked 2.000"))
        #expect(player.tells("cues [1.000 3.000 HELLO READER]"))
        let shown = try #require(screen.wait { $0.letters().contains("HELLO READER") })
        let place = try #require(shown.bounds { $0.brightness > 128 })
        #expect(place.y.lowerBound > 240 && abs(place.x.lowerBound + place.x.upperBound - 639) < 12)

        // Nothing is left between two cues.
        player.send("seek", "4", "absolute+exact")
        #expect(screen.wait { $0.bounds { $0.brightness > 40 } == nil } != nil)

        // Another color, and a second language above.
        player.send("script-message", "undertext", "style", "foreground", "#ff0000")
        player.send("script-message", "undertext", "second", "fr")
        player.send("seek", "6", "absolute+exact")
        #expect(player.tells("style foreground #ff0000"))
        #expect(player.tells("second-cues [5.000 7.000 BONJOUR LECTEUR]"))
        let both = try #require(
            screen.wait { image in
                guard let red = image.bounds(where: \.isRed) else { return false }
                return red.y.lowerBound < 100 && red.y.upperBound > 260
            })
        #expect(both.letters().contains("BONJOUR LECTEUR"))

        // Images of a track in the media file, at their position.
        player.send("script-message", "undertext", "second", "off")
        player.send("script-message", "undertext", "subtitles", "de")
        player.send("seek", "1", "absolute+exact")
        #expect(player.tells("cues [0.000 2.000 (image)]"))
        #expect(
            screen.wait { image in
                // 160x40 pixels at 80,280 of a canvas as large as the video.
                image.bounds { $0.brightness > 40 } == Bounds(x: 80...239, y: 280...319)
            } != nil)

        // A delay moves it away.
        player.send("script-message", "undertext", "delay", "+5")
        #expect(player.tells("delay 5.000"))
        #expect(screen.wait { $0.bounds { $0.brightness > 40 } == nil } != nil)

        // A track that is already shown is skipped; an impossible command changes nothing.
        player.send("script-message", "undertext", "second", "next")
        #expect(player.tells("second-chosen folder:\(folder.path)/film.en.srt"))
        player.send("script-message", "undertext", "second", "zz")
        #expect(player.tells("failed command there are no subtitles called zz"))
        for number in ["abc", "1e999", "nan"] {
            player.send("script-message", "undertext", "delay", number)
            #expect(player.tells("failed command '\(number)' is no number of seconds"))
        }

        player.send("script-message", "undertext", "nonsense")
        #expect(player.tells("failed command 'nonsense' is no command"))
        player.send("quit")
        #expect(player.exitStatus() == 0)
    }

    /// A dark video of ten seconds with a bitmap track, and text files beside it.
    private func film(in folder: TemporaryDirectory) throws {
        folder.write(
            """
            1
            00:00:01,000 --> 00:00:03,000
            HELLO READER

            2
            00:00:05,000 --> 00:00:07,000
            RED LETTERS

            """, to: "film.en.srt")
        folder.write("1\n00:00:05,000 --> 00:00:07,000\nBONJOUR LECTEUR\n", to: "film.fr.srt")
        folder.write(displaySets, to: "images.sup")
        let result = run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "color=c=black:s=640x360:r=10:d=10", "-i",
                folder / "images.sup", "-map", "0", "-map", "1", "-c:v", "mpeg4", "-q:v", "2",
                "-c:s", "copy", "-metadata:s:s:0", "language=ger", folder / "film.mkv",
            ])
        try #require(result.status == 0, "\(result.stderr)")
    }

    /// PGS: a white rectangle for two seconds, which ffmpeg moves to the beginning of the media file.
    private var displaySets: [UInt8] {
        func word(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
        func segment(_ type: UInt8, _ time: Int, _ body: [UInt8]) -> [UInt8] {
            let ticks = time * 90_000
            return Array("PG".utf8) + word(ticks >> 16) + word(ticks) + [0, 0, 0, 0, type]
                + word(body.count) + body
        }
        func composition(_ number: Int, _ objects: [UInt8]) -> [UInt8] {
            word(640) + word(360) + [0x10] + word(number) + [0x80, 0, 0] + objects
        }
        let window: [UInt8] = [1, 0] + word(80) + word(280) + word(160) + word(40)
        // A line of 160 pixels of color 1: 11 bits of length after a zero.
        let line: [UInt8] = [0, 0xC0 | UInt8(160 >> 8), 160, 1, 0, 0]
        let pixels = (0..<40).flatMap { _ in line }
        let size = pixels.count + 4
        let object: [UInt8] =
            word(0) + [0, 0xC0, UInt8(size >> 16), UInt8(size >> 8 & 255), UInt8(size & 255)]
            + word(160) + word(40) + pixels
        return segment(0x16, 1, composition(0, [1] + word(0) + [0, 0] + word(80) + word(280)))
            + segment(0x17, 1, window) + segment(0x14, 1, [0, 0, 1, 235, 128, 128, 255])
            + segment(0x15, 1, object) + segment(0x80, 1, [])
            + segment(0x16, 3, composition(1, [0])) + segment(0x17, 3, window)
            + segment(0x80, 3, [])
    }
}
