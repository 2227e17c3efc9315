import TestSupport
import Testing
import UndertextCore

/// Whole buckets: the outputs of a local run, and nothing to do for a second one.
@Suite struct ObjectStorageBatchTests {
    private let folder = TemporaryDirectory()
    private var library: String { folder / "library" }

    private func batch(_ arguments: String...) throws -> ToolResult {
        var environment = try ObjectStorageTests.storage.get().variables
        environment["XDG_STATE_HOME"] = folder / "state"
        return Command.undertext(["batch"] + arguments, environment: environment)
    }

    private func control(_ command: String, _ values: [String: String]) throws -> String {
        try ObjectStorageTests.storage.get().control(command, values)
    }

    /// A library with keys of any kind, and things that are no inputs.
    private func makeLibrary() throws {
        let movie = try #require(fileBytes(fixture("containers/movie.mkv")))
        let text = Array("1\n00:00:01,000 --> 00:00:02,000\nhello\n".utf8)
        let names = [
            "a b+c%41.mkv", "deep/er/ü 日本\u{1}.mkv", "deep/film.srt", "deep/unknown",
            "deep/note.nfo",
            ".hidden.mkv", ".hidden/film.mkv", "left out/film.mkv", "deep/plain.dat",
        ]
        for name in names {
            let path = "\(library)/\(name)"
            let parent = path.split(separator: "/").dropLast().joined(separator: "/")
            try #require(run("mkdir", ["-p", "/" + parent]).status == 0)
            writeFile(
                name.hasSuffix("srt") ? text : name.hasSuffix("dat") ? [1, 2, 3] : movie, to: path)
        }
    }

    /// The files below a folder with their bytes, except for the number of bytes read that indexes of images state.
    private func tree(_ path: String) -> [String: [UInt8]] {
        Dictionary(
            uniqueKeysWithValues: files(below: path).map { file in
                let name = String(file.dropFirst(path.count + 1))
                guard name.hasSuffix("index.json"), let text = fileText(file) else {
                    return (name, fileBytes(file) ?? [])
                }
                return (name, Array(text.replacing(#/"bytesRead":[0-9]+/#, with: "").utf8))
            })
    }

    private func objects(_ bucket: String) throws -> [String: [UInt8]] {
        let target = folder / "saved-\(Int.random(in: 0..<(1 << 40)))"
        try #require(makeFolder(target))
        try #require(try control("save", ["bucket": bucket, "folder": target]) == "done")
        return tree(target)
    }

    private func records(_ path: String) throws -> [JSON] {
        try (fileText(path) ?? "").split(separator: "\n").map { try JSON(parsing: $0.utf8) }
    }

    @Test(.requires("ffmpeg", "mkvmerge"), .requiresMoto) func aBucketIsDoneAsAFolder() throws {
        try makeLibrary()
        try #require(try control("load", ["bucket": "library", "folder": library]) == "done")
        _ = try control("put", ["bucket": "library", "key": "deep/", "size": "0"])
        _ = try control("load", ["bucket": "results", "folder": folder / "none"])
        let options = ["--exclude", "left out"]
        let local = try batch("run", library, "-o", folder / "local", options[0], options[1])
        #expect(local.status == 0, "\(local.stderr)")
        let remote = try batch(
            "run", "s3://library", "-o", "s3://results/to/", options[0], options[1], "--report",
            folder / "report.jsonl")
        #expect(remote.status == 0 && remote.stderr == local.stderr, "\(remote.stderr)")
        let expected = tree(folder / "local")
        let found = try objects("results")
        #expect(expected.count > 20)
        #expect(found.keys.sorted() == expected.keys.map { "to/" + $0 }.sorted())
        for (name, bytes) in expected {
            let isSame = found["to/" + name] == bytes
            #expect(isSame, "\(name)")
        }
        let inputs = try records(folder / "report.jsonl").compactMap { $0["input"]?.text }
        #expect(inputs.contains("s3://library/deep/er/ü 日本\u{1}.mkv"))

        // Only listings, and a look at the root.
        let storage = try ObjectStorageTests.storage.get()
        let before = storage.requests("/").count
        let again = try batch(
            "run", "s3://library/", "-o", "s3://results/to", options[0], options[1])
        #expect(again.stderr == "4 unchanged\n", "\(again.stderr)")
        let requests = storage.requests("/").dropFirst(before)
            .filter { $0.path.hasPrefix("/library") || $0.path.hasPrefix("/results") }
        #expect(!requests.isEmpty)
        let isListed = requests.allSatisfy {
            $0.method == "GET" && $0.path.contains("list-type=2")
                || $0.path.hasSuffix("/deep/unknown") || $0.path.hasSuffix("/deep/plain.dat")
        }
        #expect(isListed, "\(requests)")

        // A changed object, and an output that is gone.
        writeFile(
            Array("1\n00:00:01,000 --> 00:00:02,000\nhallo\n".utf8), to: library + "/deep/film.srt")
        try #require(try control("load", ["bucket": "library", "folder": library]) == "done")
        let changed = try batch(
            "run", "s3://library/deep", "-o", "s3://results/other", "--include", "*.srt")
        #expect(changed.stderr == "1 complete\n", "\(changed.stderr)")
        #expect(try objects("results")["other/film.und.vtt"] != nil)
        #expect(try batch("status", "s3://library").status == 0)
    }

    @Test(.requires("ffmpeg", "mkvmerge"), .requiresMoto) func outputsMayBeBesideObjects() throws {
        try makeLibrary()
        try #require(try control("load", ["bucket": "beside", "folder": library]) == "done")
        let missing = try batch("run", "s3://beside/deep")
        #expect(missing.status == 64)
        #expect(
            missing.stderr.contains("-o 's3://beside/deep' to write beside"), "\(missing.stderr)")
        let first = try batch("run", "s3://beside/deep", "-o", "s3://beside/deep/")
        #expect(first.stderr == "3 complete\n", "\(first.stderr)")
        let made = try objects("beside").count
        // Its own outputs are no inputs.
        #expect(
            try batch("run", "s3://beside/deep", "-o", "s3://beside/deep").stderr == "3 unchanged\n"
        )
        let srt = try batch(
            "run", "s3://beside/deep", "-o", "s3://beside/deep", "--format", "srt", "--tracks",
            "text")
        #expect(srt.status == 0, "\(srt.stderr)")
        #expect(try objects("beside").count > made)
    }

    @Test(.requires("ffmpeg", "mkvmerge"), .requiresMoto) func partsOfABucketAreTheWhole() throws {
        try makeLibrary()
        try #require(try control("load", ["bucket": "planned", "folder": library]) == "done")
        let plan = folder / "plan.jsonl"
        let planned = try batch("plan", "s3://planned/", "--manifest", plan, "--shards", "2")
        #expect(planned.status == 0 && planned.stderr == "5 inputs, 2 parts\n", "\(planned.stderr)")
        let out = folder / "out"
        #expect(try batch("run", "--manifest", plan, "--shard", "1/2").status == 64)
        for part in ["1/2", "2/2"] {
            let result = try batch("run", "--manifest", plan, "--shard", part, "-o", out)
            #expect(result.status == 0, "\(result.stderr)")
        }
        let whole = try batch("run", library, "-o", folder / "whole")
        #expect(whole.stderr == "5 complete\n", "\(whole.stderr)")
        #expect(tree(out) == tree(folder / "whole"))
    }

    /// An object that cannot be read to its end is recorded; the others are complete.
    @Test(.requires("ffmpeg", "mkvmerge"), .requiresMoto) func failuresCostOneObject() throws {
        let source = try #require(HTTPTests.film)
        let film = try #require(fileBytes(source / "film.mkv"))
        let text = try #require(fileBytes(fixture("subtitles/en.srt")))
        try #require(makeFolder(library))
        for name in ["gone", "slow", "denied"] { try #require(makeFolder("\(library)/\(name)")) }
        writeFile(film, to: library + "/gone/film.mkv")
        for name in ["a", "z", "slow/film", "denied/film"] {
            writeFile(text, to: "\(library)/\(name).srt")
        }
        try #require(try control("load", ["bucket": "faults", "folder": library]) == "done")
        _ = try control("load", ["bucket": "fault-results", "folder": folder / "none"])
        let report = folder / "report.jsonl"
        let result = try batch(
            "run", "s3://faults", "-o", "s3://fault-results/x", "--report", report)
        #expect(result.status == 3)
        #expect(result.stderr.contains("InternalError"), "\(result.stderr)")
        let outcomes = Dictionary(
            uniqueKeysWithValues: try records(report).dropLast().map {
                ($0["input"]?.text ?? "", $0["outcome"]?.text ?? "")
            })
        #expect(
            outcomes == [
                "s3://faults/a.srt": "complete", "s3://faults/z.srt": "complete",
                "s3://faults/slow/film.srt": "complete", "s3://faults/gone/film.mkv": "failed",
                "s3://faults/denied/film.srt": "failed",
            ])
        #expect(
            try objects("fault-results").keys.sorted()
                == ["x/a.und.vtt", "x/slow/film.und.vtt", "x/z.und.vtt"])
        let again = try batch("run", "s3://faults", "-o", "s3://fault-results/x")
        #expect(again.stderr == "5 unchanged\n", "\(again.stderr)")
    }

    @Test(
        .requires("ffmpeg", "mkvmerge"), .requiresMoto,
        arguments: [
            ("same-token", "how to list them"), ("no-token", "how to list them"),
            ("deep", "cannot be read"), ("no-xml", "check the endpoint"),
            ("long-keys", "longer than 1024 bytes"),
            ("odd-keys", "an empty part"),
        ])
    func hostileListingsAreBounded(_ bucket: String, _ message: String) throws {
        let result = try batch(
            "plan", "s3://\(bucket)", "--manifest", folder / "plan.jsonl")
        #expect(result.status == (["deep", "no-xml"].contains(bucket) ? 1 : 3), "\(result.stderr)")
        #expect(result.stderr.contains(message), "\(result.stderr)")
        #expect(result.stderr.utf8.count < 10_000)
        guard bucket == "odd-keys" else { return }
        let paths = try records(folder / "plan.jsonl").compactMap { $0["path"]?.text }
        #expect(
            paths == [
                "s3://odd-keys/a b+c%.mkv", "s3://odd-keys/\u{1}\n\u{7F}.mkv",
                "s3://odd-keys/ä😀.mkv",
            ])
    }

    @Test(.requires("ffmpeg", "mkvmerge"), .requiresMoto) func listingsAreRepeated() throws {
        let result = try batch("run", "s3://slow-list", "-o", folder / "out")
        #expect(result.status == 0 && result.stderr == "no inputs found\n", "\(result.stderr)")
        let requests = try ObjectStorageTests.storage.get().requests("/slow-list")
        #expect(requests.contains { $0.status == 503 } && requests.contains { $0.status == 200 })
    }

    @Test(
        .requires("ffmpeg", "mkvmerge"), .requiresMoto,
        arguments: ["s3://films/none", "s3://no-such-bucket", "s3://films/none/"])
    func missingRootsAreErrors(_ root: String) throws {
        let result = try batch("run", root, "-o", folder / "out")
        #expect(result.status == 1)
        #expect(result.stderr.split(separator: "\n").count == 1, "\(result.stderr)")
        #expect(!exists(folder / "state"))
    }
}
