import TestSupport
import Testing

/// The command under the name of ffmpeg: what it does itself is what ffmpeg does, everything else is ffmpeg's.
@Suite struct FFmpegStandInTests {
    private static let movie = fixture("containers/movie.mkv")

    /// A folder with links under the names of FFmpeg's programs, and programs that record how they were called.
    private final class Sandbox: Sendable {
        let folder = TemporaryDirectory()
        /// The recorded call ends with this code.
        static let code: Int32 = 97

        init() {
            _ = makeFolder(folder / "bin")
            _ = makeFolder(folder / "real")
            for name in ["ffmpeg", "ffprobe", "undertext-ffmpeg", "undertext-ffprobe"] {
                _ = run("ln", ["-s", Command.path, folder / "bin/\(name)"])
            }
            for name in ["ffmpeg", "ffprobe"] { record("real/\(name)") }
        }

        /// Makes a program that writes its arguments, its environment and its signals into files beside it.
        func record(_ name: String) {
            folder.write(
                """
                #!/bin/sh
                grep -E '^Sig(Blk|Ign)|^NoNewPrivs' /proc/self/status > '\(folder / name).signals'
                cat /proc/$$/environ > '\(folder / name).environ'
                ls /proc/$$/fd > '\(folder / name).files'
                printf '%s\\0' "$0" "$@" > '\(folder / name).arguments'
                cat > '\(folder / name).input'
                echo recorded
                exit \(Self.code)
                """, to: name)
            _ = run("chmod", ["755", folder / name])
        }

        /// The arguments of the last recorded call, which are forgotten; `nil` if there was none.
        func recorded(_ name: String = "real/ffmpeg") -> [UInt8]? {
            defer { _ = run("rm", ["-f", folder / "\(name).arguments"]) }
            return fileBytes(folder / "\(name).arguments")
        }

        func standIn(
            _ arguments: [String], name: String = "undertext-ffmpeg", stdin: [UInt8] = [],
            environment: [String: String?] = [:]
        ) -> ToolResult {
            var environment = environment
            if environment["UNDERTEXT_FFMPEG"] == nil {
                environment["UNDERTEXT_FFMPEG"] = folder / "real/ffmpeg"
            }
            return run(folder / "bin/\(name)", arguments, stdin: stdin, environment: environment)
        }

        func words(_ line: String, input: String = FFmpegStandInTests.movie, to prefix: String)
            -> [String]
        {
            line.split(separator: " ").map { word in
                if word == "IN" { return input }
                if word == "file:IN" { return "file:" + input }
                return word.hasPrefix("OUT") ? folder / (prefix + word.dropFirst(3)) : String(word)
            }
        }
    }

    /// The bytes that a program gets as arguments.
    private static func bytes(_ words: [String]) -> [UInt8] {
        words.flatMap { Array($0.utf8) + [0] }
    }

    // MARK: Passing on

    @Test func otherCommandLinesArePassedOnByteForByte() {
        let sandbox = Sandbox()
        var lines = FFmpegCommandLines.others + FFmpegCommandLines.servers
        #expect(Set(lines).count > 200)
        for line in FFmpegCommandLines.extractions {
            // An unknown option, at every possible position.
            let words = line.text.split(separator: " ")
            for place in words.indices where words[place].hasPrefix("-") && words[place].count > 1 {
                let changed = words[..<place] + ["-unknown"] + words[place...]
                lines.append(changed.joined(separator: " "))
            }
        }
        #expect(lines.count > 500)
        for line in lines {
            let words = sandbox.words(line, to: "passed")
            let result = sandbox.standIn(words)
            #expect(result.status == Sandbox.code && result.text == "recorded\n", "\(line)")
            #expect(
                sandbox.recorded() == Self.bytes([sandbox.folder / "real/ffmpeg"] + words),
                "\(line)")
        }
        #expect(names(in: sandbox.folder / ".").filter { $0.hasPrefix("passed") }.isEmpty)
    }

    @Test func environmentSignalsAndInputArePassedOn() throws {
        let sandbox = Sandbox()
        let environment: [String: String?] = [
            "UNDERTEXT_FFMPEG": sandbox.folder / "real/ffmpeg", "LONELY": "a b\nc",
        ]
        let names = ["environ", "signals", "files", "input"]
        let input = Array("q\n\u{0}\u{1}".utf8)
        var calls: [[[UInt8]]] = []
        for program in ["real/ffmpeg", "bin/undertext-ffmpeg"] {
            _ = run(
                sandbox.folder / program, ["-i", "x", "y.mp4"], stdin: input,
                environment: environment)
            calls.append(names.map { fileBytes(sandbox.folder / "real/ffmpeg.\($0)") ?? [] })
        }
        #expect(calls[0][1...] == calls[1][1...])
        #expect(calls[0][3] == input)
        let variables = calls.map {
            Set($0[0].split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
        }
        #expect(variables[0].subtracting(variables[1]).isEmpty)
        #expect(
            variables[1].subtracting(variables[0])
                == ["UNDERTEXT_FFMPEG_CALLED=" + sandbox.folder / "real/ffmpeg"])
    }

    /// Any bytes, words that are empty or look like options, and names that a shell would expand.
    @Test func hostileWordsArePassedOn() {
        let sandbox = Sandbox()
        let words = [
            "", " ", "-", "--", "-i", "$(id)", "`id`", "a\nb", "\"", "'", "\\", "*", "~",
            "\u{202E}gpj.mkv", "\u{EF80}",
            "%s%n", String(repeating: "x", count: 100_000),
        ]
        #expect(sandbox.standIn(words).status == Sandbox.code)
        #expect(sandbox.recorded() == Self.bytes([sandbox.folder / "real/ffmpeg"] + words))
        for word in words {
            let line = ["-y", "-i", word, "-map", "0:2", sandbox.folder / "x.srt"]
            #expect(sandbox.standIn(line).status == Sandbox.code)
            #expect(sandbox.recorded() == Self.bytes([sandbox.folder / "real/ffmpeg"] + line))
        }
    }

    /// The programs, and where they are looked for.
    @Test func theRealProgramIsFound() {
        let sandbox = Sandbox()
        let line = ["-version"]
        #expect(sandbox.standIn(line, name: "ffprobe").status == Sandbox.code)
        #expect(
            sandbox.recorded("real/ffprobe") == Self.bytes([sandbox.folder / "real/ffprobe"] + line)
        )
        _ = makeFolder(sandbox.folder / "other")
        sandbox.record("other/probe")
        let named = ["UNDERTEXT_FFPROBE": sandbox.folder / "other/probe"]
        #expect(
            sandbox.standIn(line, name: "undertext-ffprobe", environment: named).status
                == Sandbox.code)
        #expect(sandbox.recorded("other/probe") != nil)
        // The link itself is first in PATH and is skipped, and so is a name that leads to it.
        for named in ["", sandbox.folder / "bin/ffmpeg", sandbox.folder / "missing"] {
            let path = [
                "UNDERTEXT_FFMPEG": named,
                "PATH": "\(sandbox.folder / "bin"):\(sandbox.folder / "real"):/usr/bin:/bin",
            ]
            #expect(sandbox.standIn(line, name: "ffmpeg", environment: path).status == Sandbox.code)
            #expect(sandbox.recorded() != nil)
        }
        let none = ["UNDERTEXT_FFMPEG": "", "PATH": sandbox.folder / "bin"]
        let missing = sandbox.standIn(line, name: "ffmpeg", environment: none)
        #expect(missing.status == 127 && missing.stdout.isEmpty)
        #expect(
            missing.stderr
                == "ffmpeg: the real ffmpeg was not found; install FFmpeg, or set UNDERTEXT_FFMPEG to the path of its ffmpeg\n"
        )
    }

    /// A wrapper that calls the stand-in again, with or without `exec`, does not recurse endlessly.
    @Test(arguments: ["exec ", ""]) func wrappersThatCallBackEnd(_ how: String) {
        let sandbox = Sandbox()
        _ = makeFolder(sandbox.folder / "wrap")
        sandbox.folder.write(
            "#!/bin/sh\n\(how)'\(sandbox.folder / "bin/ffmpeg")' \"$@\"\n", to: "wrap/ffmpeg")
        _ = run("chmod", ["755", sandbox.folder / "wrap/ffmpeg"])
        let wrapped = sandbox.folder / "wrap/ffmpeg"
        let found = sandbox.standIn(
            ["-version"],
            environment: [
                "UNDERTEXT_FFMPEG": wrapped, "PATH": "\(sandbox.folder / "real"):/usr/bin:/bin",
            ])
        #expect(found.status == Sandbox.code && sandbox.recorded() != nil)
        let lost = sandbox.standIn(
            ["-version"],
            environment: ["UNDERTEXT_FFMPEG": wrapped, "PATH": sandbox.folder / "wrap"])
        #expect(lost.status == 127)
    }

    // MARK: Doing it

    /// Every collected line gives the cues that ffmpeg writes, from several containers.
    @Test(.requires("ffmpeg"), .requiresPython("pysubs2")) func extractionsAreThoseOfFFmpeg() throws
    {
        let sandbox = Sandbox()
        let late = sandbox.folder / "late.mkv"
        let moved = run(
            "ffmpeg",
            [
                "-v", "error", "-i", Self.movie, "-map", "0", "-c", "copy", "-output_ts_offset",
                "5.25", late,
            ])
        try #require(moved.status == 0, "\(moved.stderr)")
        let stream = sandbox.folder / "film.ts"
        let made = run(
            "ffmpeg",
            [
                "-v", "error", "-i", Self.movie, "-map", "0:0", "-map", "0:1", "-map", "0:7", "-c",
                "copy", stream,
            ])
        try #require(made.status == 0, "\(made.stderr)")
        let inputs =
            [Self.movie, late, stream]
            + [
                "movie-nocues.mkv", "movie-ffmpeg.mkv", "movie.mp4", "movie.webm",
                "empty-track.mkv", "zlib.mkv",
            ]
            .map { fixture("containers/" + $0) }
            + ["en.srt", "signs.ass"].map { fixture("subtitles/" + $0) }
        var pairs: [String] = []
        var done = 0
        for (number, input) in inputs.enumerated() {
            for (row, line) in FFmpegCommandLines.extractions.enumerated() {
                // Each line reads the first three, and a third of the lines each of the others.
                guard number < 3 || row % 3 == number % 3 else { continue }
                let ours = sandbox.words(line.text, input: input, to: "ours\(number)-\(row)-")
                let result = sandbox.standIn(ours)
                let isOurs = result.status != Sandbox.code
                if input == Self.movie || input == late {
                    #expect(isOurs == line.isOurs, "\(line)")
                }
                guard isOurs else { continue }
                done += 1
                let real = sandbox.words(line.text, input: input, to: "real\(number)-\(row)-")
                let expected = run("ffmpeg", ["-nostdin"] + real)
                #expect(result.status == expected.status, "\(input) \(line): \(result.stderr)")
                for (one, other) in zip(ours, real) where one != other {
                    try Self.compare(one, other, &pairs, "\(input) \(line)")
                }
                if ours == real {
                    let folder = sandbox.folder
                    let kind = line.text.contains("webvtt") ? "vtt" : "srt"
                    folder.write(result.stdout, to: "ours\(number)-\(row).\(kind)")
                    folder.write(expected.stdout, to: "real\(number)-\(row).\(kind)")
                    pairs += [
                        folder / "ours\(number)-\(row).\(kind)",
                        folder / "real\(number)-\(row).\(kind)",
                    ]
                }
            }
        }
        #expect(done > 100 && pairs.count > 120)
        let compared = run("python3", [Repository.root + "/Scripts/compare-cues.py"] + pairs)
        #expect(compared.status == 0, "\(compared.text) \(compared.stderr)")
    }

    private static func compare(
        _ one: String, _ other: String, _ pairs: inout [String], _ line: String
    ) throws {
        guard one.hasSuffix(".sup") else {
            pairs += [one, other]
            return
        }
        let bytes = try #require(fileBytes(one), "\(line)")
        #expect(bytes == fileBytes(other), "\(line)")
    }

    @Test func filesThatExistAreFFmpegsToAskAbout() {
        let sandbox = Sandbox()
        let output = sandbox.folder / "x.srt"
        let line = ["-i", Self.movie, "-map", "0:2", output]
        sandbox.folder.write("kept", to: "x.srt")
        for words in [line, ["-n"] + line] {
            #expect(sandbox.standIn(words).status == Sandbox.code)
            #expect(fileText(output) == "kept")
        }
        // A replaced file stays the same file: the caller may have it open.
        _ = run("ln", [output, sandbox.folder / "same.srt"])
        #expect(sandbox.standIn(["-y"] + line).status == 0)
        #expect(fileText(output)?.hasPrefix("1\n00:00:01,000 --> 00:00:03,200\n") == true)
        #expect(fileText(output) == fileText(sandbox.folder / "same.srt"))
        // ffmpeg refuses to write its input.
        let input = fixture("subtitles/en.srt")
        sandbox.folder.write(fileBytes(input) ?? [], to: "in.srt")
        let same = [
            "-y", "-i", sandbox.folder / "in.srt", "-c", "copy", sandbox.folder / "./in.srt",
        ]
        #expect(sandbox.standIn(same).status == Sandbox.code)
        #expect(fileBytes(sandbox.folder / "in.srt") == fileBytes(input))
    }

    @Test func hostileNamesAreRead() {
        let sandbox = Sandbox()
        let bytes = fileBytes(Self.movie) ?? []
        for name in [
            "-i.mkv", "a b.mkv", "%d.mkv", "$(id).mkv", "x\ny.mkv", "\u{202E}vkm.mkv", "-y",
        ] {
            sandbox.folder.write(bytes, to: name)
            let output = sandbox.folder / "out \(name).srt"
            let result = sandbox.standIn([
                "-v", "quiet", "-i", sandbox.folder / name, "-map", "0:2", output,
            ])
            #expect(result.status == 0 && result.stderr.isEmpty, "\(name)")
            #expect(fileSize(output) ?? 0 > 100)
        }
    }

    /// Inputs that we cannot read are left to ffmpeg, and no output exists by then.
    @Test func failingJobsArePassedOn() {
        let sandbox = Sandbox()
        sandbox.folder.write(Array((fileBytes(Self.movie) ?? []).prefix(20_000)), to: "cut.mkv")
        sandbox.folder.write(Array("no media file".utf8), to: "text.mkv")
        // ffmpeg detects no charset.
        let latin = Array("1\n00:00:01,000 --> 00:00:02,000\nO farol est".utf8) + [0xE1, 0x0A]
        sandbox.folder.write(latin, to: "latin.srt")
        for name in ["cut.mkv", "text.mkv", "latin.srt"] {
            let line = [
                "-i", sandbox.folder / name, "-map", "0:s:0", "-c:s", "copy",
                sandbox.folder / "x.srt",
            ]
            #expect(sandbox.standIn(line).status == Sandbox.code, "\(name)")
            #expect(sandbox.recorded() != nil && !exists(sandbox.folder / "x.srt"))
        }
    }

    /// An output that cannot be written leaves no new file that ffmpeg would ask about.
    @Test func newOutputsAreRemovedBeforeFFmpeg() {
        let sandbox = Sandbox()
        let long = String(repeating: "x", count: 300)
        let line =
            ["-i", Self.movie]
            + ["first.srt", "\(long).srt"].flatMap { ["-map", "0:2", sandbox.folder / $0] }
        #expect(sandbox.standIn(line).status == Sandbox.code)
        #expect(sandbox.recorded() == Self.bytes([sandbox.folder / "real/ffmpeg"] + line))
        #expect(!exists(sandbox.folder / "first.srt"))
    }

    /// The statistics have the form that programs parse, where ffmpeg would print them.
    @Test func statistics() throws {
        let sandbox = Sandbox()
        let line = [
            "-y", "-i", Self.movie, "-map", "0:2", "-c:s", "copy", sandbox.folder / "x.srt",
        ]
        let form =
            #/size= +\d+kB time=00:00:\d\d\.\d\d bitrate= *\d+\.\d\ kbits/s speed= *\d+x +\n/#
        for options in [[], ["-v", "quiet", "-stats"], ["-loglevel", "info"]] {
            let printed = sandbox.standIn(options + line).stderr
            #expect(
                printed.replacing("kbits", with: " kbits").wholeMatch(of: form) != nil, "\(printed)"
            )
        }
        for options in [["-v", "quiet"], ["-loglevel", "warning"]] {
            #expect(sandbox.standIn(options + line).stderr.isEmpty)
        }
    }

    /// The command under its own name does not take ffmpeg's command lines.
    @Test func theCommandKeepsItsName() {
        let result = Command.undertext("-i", Self.movie, "-map", "0:2", "x.srt")
        #expect(result.status == 64)
    }
}
