import TestSupport
import Testing
import UndertextCore

/// Closed captions between the frames of the video: `probe --deep` and `extract` report them.
@Suite struct VideoCaptionTests {
    /// A second of MPEG-2 whose frames carry a pair of CEA-608, in a container of that extension.
    private static func media(_ folder: TemporaryDirectory, _ name: String) throws -> String {
        let made = run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "testsrc=size=64x64:rate=25:duration=1",
                "-c:v", "mpeg2video", "-f", "mpeg2video", folder / "plain.m2v",
            ])
        #expect(made.status == 0, "\(made.stderr)")
        let plain = try #require(fileBytes(folder / "plain.m2v"))
        let pair: [UInt8] = [
            0, 0, 1, 0xB2, 0x47, 0x41, 0x39, 0x34, 0x03, 0x41, 0xFF, 0xFC, 0xC8, 0xE9, 0xFF,
        ]
        // User data stands before the first slice of a frame.
        var captioned: [UInt8] = []
        for (index, byte) in plain.enumerated() {
            if plain.dropFirst(index).prefix(4).elementsEqual([0, 0, 1, 1]) { captioned += pair }
            captioned.append(byte)
        }
        folder.write(captioned, to: "captioned.m2v")
        try mux("captioned.m2v", as: name, folder)
        return folder / name
    }

    private static func mux(
        _ source: String, as name: String, _ folder: TemporaryDirectory
    ) throws {
        let arguments = ["-v", "error", "-fflags", "+genpts", "-i", folder / source, "-c", "copy"]
        let result = run("ffmpeg", arguments + [folder / name])
        #expect(result.status == 0, "\(result.stderr)")
    }

    private static func video(_ result: ToolResult) throws -> JSON {
        let document = try JSON(parsing: result.stdout)
        let streams = document["streams"]?.elements ?? []
        return try #require(streams.first { $0["codec_type"]?.text == "video" })
    }

    @Test(.requires("ffmpeg"), arguments: ["film.ts", "film.mkv", "film.mp4", "film.mpg"])
    func captionsAreReported(name: String) throws {
        let folder = TemporaryDirectory()
        let path = try Self.media(folder, name)
        let deep = Command.undertext("probe", "--json", "--deep", path)
        #expect(deep.status == 0, "\(deep.stderr)")
        let video = try Self.video(deep)
        #expect(video["closed_captions"]?.wholeNumber == 1)
        #expect(video["undertext"]?["captions"]?.elements.compactMap(\.text) == ["CEA-608"])
        #expect(Command.undertext("probe", "--deep", path).text.contains("CEA-608"))
        // Without looking deep nothing is claimed.
        let brief = try Self.video(Command.undertext("probe", "--json", path))
        #expect(brief["closed_captions"] == nil)
        #expect(brief["undertext"]?["captions"] == nil)

        let extracted = Command.reported(["extract", "-o", folder.path, path])
        #expect(extracted.status == 2 && extracted.errors == ["no-track"])
        #expect(extracted.result.states("CEA-608"), "\(extracted.result.stderr)")
    }

    @Test(.requires("ffmpeg")) func videoWithoutCaptionsHasNone() throws {
        let folder = TemporaryDirectory()
        _ = try Self.media(folder, "film.ts")
        let plain = folder / "plain.ts"
        try Self.mux("plain.m2v", as: "plain.ts", folder)
        let video = try Self.video(Command.undertext("probe", "--json", "--deep", plain))
        #expect(video["closed_captions"]?.wholeNumber == 0)
        let extracted = Command.reported(["extract", "-o", folder.path, plain])
        #expect(extracted.status == 2 && extracted.errors == ["no-track"])
        #expect(!extracted.result.states("CEA"))
    }

    @Test(.requiresCorpus()) func captionsOfOthersAreFound() throws {
        for (path, kinds) in [
            ("shaka-player/captions-test.ts", ["CEA-608"]),
            ("mux.js/segments/sintel-captions.ts", ["CEA-608"]),
            ("mux.js/segments/multi-channel-608-captions.ts", ["CEA-608"]),
        ] {
            let file = try #require(corpusPath(path))
            let video = try Self.video(Command.undertext("probe", "--json", "--deep", file))
            let found = video["undertext"]?["captions"]?.elements.compactMap(\.text) ?? []
            #expect(found.contains(kinds[0]), "\(path): \(found)")
        }
    }
}
