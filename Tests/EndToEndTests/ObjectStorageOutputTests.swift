import TestSupport
import Testing

/// Outputs in object storage: the same as on a disk, complete or not there.
@Suite struct ObjectStorageOutputTests {
    private let folder = TemporaryDirectory()
    private let movie = fixture("containers/movie.mkv")

    private static func storage() throws -> ObjectStorage {
        try ObjectStorageTests.storage.get()
    }

    private func undertext(_ arguments: String...) throws -> ToolResult {
        Command.undertext(arguments, environment: try Self.storage().variables)
    }

    /// A new bucket with files, by their names.
    private func bucket(_ name: String, _ files: [String: [UInt8]] = [:]) throws {
        let source = folder / "bucket-\(name)"
        try #require(makeFolder(source))
        for (name, bytes) in files { writeFile(bytes, to: "\(source)/\(name)") }
        let answer = try Self.storage().control("load", ["bucket": name, "folder": source])
        try #require(answer == "done")
    }

    /// The objects of a bucket, by their keys.
    private func objects(_ bucket: String) throws -> [String: [UInt8]] {
        let target = folder / "saved-\(bucket)-\(Int.random(in: 0..<(1 << 40)))"
        try #require(makeFolder(target))
        let answer = try Self.storage().control("save", ["bucket": bucket, "folder": target])
        try #require(answer == "done")
        return tree(target)
    }

    private func tree(_ path: String) -> [String: [UInt8]] {
        Dictionary(
            uniqueKeysWithValues: files(below: path).map {
                (String($0.dropFirst(path.count + 1)), fileBytes($0) ?? [])
            })
    }

    private func uploads(_ bucket: String) throws -> String {
        try Self.storage().control("uploads", ["bucket": bucket])
    }

    /// A text file of more bytes than one request has.
    private func makeLongFile() -> String {
        let text = (0..<150_000).map { number in
            let second = 10_000 + number % 3600
            let clock =
                "\(10 + number / 3600):\(String(second / 60 % 60 + 100).dropFirst()):\(String(second % 60 + 100).dropFirst()),"
            return "\(number + 1)\n\(clock)000 --> \(clock)900\nThis is caption \(number).\n\n"
        }
        folder.write(text.joined(), to: "long.srt")
        return folder / "long.srt"
    }

    @Test(.requires("ffmpeg", "mkvmerge"), .requiresMoto) func outputsAreThoseOfADisk() throws {
        try bucket("outputs")
        let place = "s3://outputs/ä b+%41/"
        #expect(try undertext("extract", "-o", folder / "disk", movie).status == 0)
        let made = try undertext("extract", "-o", place, movie)
        #expect(made.status == 0, "\(made.stderr)")
        let expected = tree(folder / "disk")
        let found = try objects("outputs")
        #expect(
            found.keys.sorted() == expected.keys.map { "ä b+%41/" + $0 }.sorted())
        for (name, bytes) in expected {
            let isSame = found["ä b+%41/" + name] == bytes
            #expect(isSame, "\(name)")
        }
        let images = try #require(expected.keys.first { $0.hasSuffix("/index.json") })
        let puts = try Self.storage().requests("/outputs/").filter { $0.method == "PUT" }
        #expect(puts.count == expected.count)
        // The index of an image folder comes after its other files.
        let name = String(try #require(images.split(separator: "/").first))
        let last = puts.last { $0.path.contains(name) }
        #expect(last?.path.hasSuffix("/index.json") == true)
        let type = try Self.storage().control(
            "type", ["bucket": "outputs", "key": "ä b+%41/" + images])
        #expect(type == "application/json")

        // What exists stays.
        let again = try undertext("extract", "-o", place, movie)
        #expect(again.status == 1)
        #expect(again.stderr.contains("--force"), "\(again.stderr)")
        #expect(try undertext("extract", "--skip-existing", "-o", place, movie).status == 0)
        let count = try Self.storage().requests("/outputs/").count { $0.method == "PUT" }
        #expect(count == puts.count)
        let forced = try undertext("extract", "--force", "-o", place, movie)
        #expect(forced.status == 0, "\(forced.stderr)")
        let replaced = try objects("outputs")
        #expect(replaced.keys == found.keys)
    }

    /// Images without their index are what a killed run leaves.
    @Test(.requires("ffmpeg", "mkvmerge"), .requiresMoto) func unfinishedFoldersAreCompleted()
        throws
    {
        let sup = fixture("bitmap/pgs/many-objects.sup")
        try bucket("unfinished")
        let storage = try Self.storage()
        let images = "s3://unfinished/out.images"
        #expect(try undertext("convert", sup, images).status == 0)
        let whole = try objects("unfinished")
        for (name, size) in [("0001.png", "10"), ("0099.png", "20"), ("cover.jpg", "30")] {
            _ = storage.control(
                "put", ["bucket": "unfinished", "key": "part.images/\(name)", "size": size])
        }
        let refused = try undertext("convert", sup, "s3://unfinished/part.images")
        #expect(refused.status == 1, "\(refused.stderr)")
        let made = try undertext("convert", "--force", sup, "s3://unfinished/part.images")
        #expect(made.status == 0, "\(made.stderr)")
        let found = try objects("unfinished")
        for (name, bytes) in whole where !name.hasSuffix("index.html") && !name.hasSuffix(".xml") {
            let isSame = found[name.replacing("out.", with: "part.")] == bytes
            #expect(isSame, "\(name)")
        }
        // What is not named as our images stays; what was left of another upload is gone.
        #expect(found["part.images/cover.jpg"]?.count == 30)
        #expect(found["part.images/0099.png"] == nil)
    }

    @Test(
        .requires("ffmpeg", "mkvmerge"), .requiresMoto,
        arguments: ["slow", "dropped", "lost", "old"])
    func failuresOfUploadsPass(_ fault: String) throws {
        try bucket("fault-\(fault)")
        let source = fixture("subtitles/en.srt")
        #expect(Command.undertext("convert", source, folder / "a.vtt").status == 0)
        let made = try undertext("convert", source, "s3://fault-\(fault)/\(fault)/a.vtt")
        #expect(made.status == 0, "\(made.stderr)")
        let isSame =
            try objects("fault-\(fault)") == ["\(fault)/a.vtt": fileBytes(folder / "a.vtt")]
        #expect(isSame)
        let again = try undertext("convert", source, "s3://fault-\(fault)/\(fault)/a.vtt")
        #expect(again.status == 1 && again.stderr.contains("exists"), "\(again.stderr)")
    }

    @Test(
        .requires("ffmpeg", "mkvmerge"), .requiresMoto,
        arguments: [
            ("s3://refusals/denied/a.vtt", "check the permissions"),
            ("s3://no-such-bucket/a.vtt", "no such bucket"),
        ])
    func lastingFailuresAreOneLine(_ output: String, _ remedy: String) throws {
        try bucket("refusals")
        let result = try undertext("convert", fixture("subtitles/en.srt"), output)
        #expect(result.status == 1)
        #expect(result.stderr.contains(remedy), "\(result.stderr)")
        #expect(result.stderr.split(separator: "\n").count == 1, "\(result.stderr)")
        #expect(try objects("refusals").isEmpty)
    }

    @Test(
        .requires("ffmpeg", "mkvmerge"), .requiresMoto,
        arguments: ["s3://", "s3://a b/c", "s3:///x"])
    func otherURLsAreUsageErrors(_ output: String) throws {
        #expect(try undertext("extract", "-o", output, movie).status == 64)
        #expect(try undertext("batch", "run", folder.path, "-o", output).status == 64)
        #expect(!exists("s3:"))
    }

    @Test(.requires("ffmpeg", "mkvmerge"), .requiresMoto) func inputsAreNotReplaced() throws {
        let text = Array("1\n00:00:01,000 --> 00:00:02,000\nhello\n".utf8)
        try bucket("inputs", ["a.srt": text])
        let result = try undertext("convert", "--force", "s3://inputs/a.srt", "s3://inputs/a.srt")
        #expect(result.status == 64, "\(result.stderr)")
        #expect(try objects("inputs") == ["a.srt": text])
        #expect(try undertext("convert", "s3://inputs/a.srt", "s3://inputs/a.vtt").status == 0)
        #expect(try objects("inputs").keys.sorted() == ["a.srt", "a.vtt"])
    }

    @Test(.requires("ffmpeg", "mkvmerge"), .requiresMoto) func longOutputsAreSentInParts() throws {
        try bucket("parts")
        let source = makeLongFile()
        let expected = try #require(fileBytes(source))
        try #require(expected.count > 8 << 20)
        let made = try undertext("convert", source, "s3://parts/lost/old/a.srt")
        #expect(made.status == 0, "\(made.stderr)")
        let failed = try undertext("convert", source, "s3://parts/failing/a.srt")
        #expect(failed.status == 1 && failed.stderr.contains("check the permissions"))
        let found = try objects("parts")
        let isSame = found == ["lost/old/a.srt": expected]
        #expect(isSame)
        let requests = try Self.storage().requests("/parts/lost/old/a.srt")
        #expect(requests.contains { $0.path.contains("partNumber=2") })
        #expect(try uploads("parts") == "0")
    }

    @Test(.requires("ffmpeg", "mkvmerge"), .requiresMoto) func signalsDiscardParts() throws {
        let name = "signals"
        try bucket(name)
        let storage = try Self.storage()
        let environment = storage.variables.compactMap { name, value in
            value.map { "\(name)=\($0)" }
        }
        let process = try #require(
            spawn(
                "/usr/bin/env",
                ["env"] + environment
                    + [Command.path, "convert", makeLongFile(), "s3://\(name)/hanging/a.srt"],
                input: "/dev/null", output: folder / "stdout", error: folder / "stderr"))
        let waiting = storage.requests("/\(name)/hanging/a.srt?partNumber=2", atLeast: 1)
        #expect(!waiting.isEmpty)
        #expect(try uploads(name) == "1")
        send(signal: SignalTests.terminate, to: process)
        #expect(
            waitForExit(process) == 128 + SignalTests.terminate,
            "\(fileText(folder / "stderr") ?? "")")
        #expect(try uploads(name) == "0")
        #expect(try objects(name).isEmpty)
    }
}
