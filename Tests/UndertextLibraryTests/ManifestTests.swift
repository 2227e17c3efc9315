import TestSupport
import Testing
import UndertextCore
import UndertextLibrary

/// Each machine computes the same parts of a manifest.
@Suite struct ManifestTests {
    let folder = TemporaryDirectory()

    private func manifest(sizes: [Int64], shards: Int = 1) -> Manifest {
        Manifest(
            shards: shards, roots: ["/media"],
            entries: sizes.enumerated().map { number, size in
                Manifest.Entry(
                    path: "/media/\(number).ts", relativePath: "\(number).ts", kind: .stream,
                    size: size)
            })
    }

    @Test(arguments: [1, 2, 3, 8, 100])
    func partsHaveEveryInputOnce(_ count: Int) throws {
        var generator = SeededGenerator(seed: UInt64(count))
        let sizes = (0..<500).map { _ in Int64.random(in: 0...1 << 34, using: &generator) }
        let manifest = manifest(sizes: sizes)
        var costs: [Int64] = []
        var seen: [Manifest.Entry] = []
        for index in 1...count {
            let part = manifest.entries(of: try #require(Shard(index: index, count: count)))
            #expect(part == manifest.entries.filter { part.contains($0) }, "the order of the walk")
            costs.append(part.reduce(0) { $0 + $1.cost })
            seen += part
        }
        #expect(seen.count == 500 && Set(seen).count == 500)
        let mean = costs.reduce(0, +) / Int64(count)
        // With five inputs a part, the largest one decides; with many, parts are almost equal.
        let limit = count == 100 ? mean * 13 / 10 : mean * 101 / 100
        #expect(costs.allSatisfy { $0 <= limit }, "\(costs.max() ?? 0) of \(mean)")
    }

    @Test func filesAreReadAsWritten() throws {
        let path = folder / "plan.jsonl"
        let written = Manifest(
            shards: 4, roots: ["/m"],
            entries: [
                .init(path: "/m/a\nb.mkv", relativePath: "a\nb.mkv", kind: .indexed, size: 1 << 40),
                .init(path: "/m/ü/c.srt", relativePath: "ü/c.srt", kind: .subtitle, size: 0),
                .init(
                    path: "s3://m/a+b%/\u{1}.ts", relativePath: "\u{1}.ts", kind: .stream, size: 1),
            ])
        try written.write(to: path, replacing: false)
        let read = try Manifest(path: path)
        #expect(read.entries == written.entries && read.shards == 4 && read.roots == ["/m"])
        // Whatever is cut off is noticed, and nothing damaged is a trap.
        let bytes = try #require(fileBytes(path))
        for length in 0..<(bytes.count - 1) {
            writeFile(Array(bytes.prefix(length)), to: path)
            #expect(throws: UndertextError.self) { try Manifest(path: path) }
        }
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2000 {
            var changed = bytes
            changed[Int.random(in: 0..<bytes.count, using: &generator)] =
                UInt8.random(in: 0...255, using: &generator)
            writeFile(changed, to: path)
            let entries = (try? Manifest(path: path))?.entries ?? []
            #expect(entries.allSatisfy { !$0.relativePath.contains("..") })
        }
    }

    @Test(arguments: [
        #"{"path":"a.mkv","relativePath":"a.mkv","kind":"indexed","size":1}"#,
        #"{"path":"s3://","relativePath":"a.mkv","kind":"indexed","size":1}"#,
        #"{"path":"s3://a/b","relativePath":"a//b","kind":"indexed","size":1}"#,
        #"{"path":"/a.mkv","relativePath":"../a.mkv","kind":"indexed","size":1}"#,
        #"{"path":"/a.mkv","relativePath":"/a.mkv","kind":"indexed","size":1}"#,
        #"{"path":"/a.mkv","relativePath":"a.mkv","kind":"indexed","size":-1}"#,
        #"{"path":"/a.mkv","relativePath":"a.mkv","kind":"other","size":1}"#,
        "[]", "",
    ])
    func hostileLinesAreRefused(_ line: String) {
        let header = #"{"type":"manifest","version":1,"shards":1,"roots":[],"inputs":1}"#
        folder.write("\(header)\n\(line)\n", to: "plan.jsonl")
        let error = #expect(throws: UndertextError.self) {
            try Manifest(path: folder / "plan.jsonl")
        }
        #expect(error?.code == .malformed)
    }

    @Test(arguments: ["0/1", "2/1", "1/0", "-1/2", "1", "1/2/3", "a/b", "", "1/100001"])
    func textsThatAreNoShard(_ text: String) {
        #expect(Shard(text) == nil)
    }

    private static let slurm = [
        "SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_MIN": "3", "SLURM_ARRAY_TASK_MAX": "9",
        "SLURM_ARRAY_TASK_STEP": "2", "SLURM_ARRAY_TASK_COUNT": "4",
    ]

    @Test func variablesOfEngines() throws {
        func shard(_ variables: [String: String]) throws(UndertextError) -> Shard? {
            try Shard.ofEnvironment(planned: 5) { variables[$0] }
        }
        #expect(try shard([:]) == nil)
        #expect(try shard(Self.slurm)?.description == "3/4")
        let aws = ["AWS_BATCH_JOB_ARRAY_INDEX": "0", "AWS_BATCH_JOB_ARRAY_SIZE": "2"]
        #expect(try shard(aws)?.description == "1/2")
        let run = ["CLOUD_RUN_TASK_INDEX": "9", "CLOUD_RUN_TASK_COUNT": "10"]
        #expect(try shard(run)?.description == "10/10")
        #expect(try shard(["JOB_COMPLETION_INDEX": "4"])?.description == "5/5")
    }

    @Test(arguments: [
        slurm.merging(["SLURM_ARRAY_TASK_COUNT": "3"]) { $1 },
        slurm.merging(["SLURM_ARRAY_TASK_ID": "4"]) { $1 },
        slurm.merging(["SLURM_ARRAY_TASK_MIN": "x"]) { $1 },
        slurm.filter { $0.key != "SLURM_ARRAY_TASK_COUNT" },
        ["AWS_BATCH_JOB_ARRAY_INDEX": "0"], ["JOB_COMPLETION_INDEX": "5"],
        ["CLOUD_RUN_TASK_INDEX": "-1", "CLOUD_RUN_TASK_COUNT": "2"],
        ["JOB_COMPLETION_INDEX": "99999999999999999999"],
    ])
    func contradictionsOfVariables(_ variables: [String: String]) {
        let error = #expect(throws: UndertextError.self) {
            try Shard.ofEnvironment(planned: 5) { variables[$0] }
        }
        #expect(error?.code == .badShard)
    }
}
