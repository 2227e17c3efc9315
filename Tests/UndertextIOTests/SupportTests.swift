import TestSupport
import Testing

/// The helpers that the other tests use.
@Suite struct SupportTests {
    @Test func toolsGiveStatusAndBothStreams() {
        let result = run(
            "sh", ["-c", "cat; echo err >&2; pwd; echo $A; exit 7"], stdin: [65, 10],
            environment: ["A": "b c"], directory: "/")
        #expect(result.status == 7)
        #expect(result.text == "A\n/\nb c\n")
        #expect(result.stderr == "err\n")
        #expect(run("sh", ["-c", "kill -TERM $$"]).status == 143)
        #expect(run("undertext-no-such-tool").status == 127)
        #expect(!hasTool("undertext-no-such-tool"))
    }

    @Test func temporaryFoldersGoWithTheirContent() {
        let path: String
        do {
            let folder = TemporaryDirectory()
            path = folder.path
            folder.write("text", to: "name")
            #expect(folder.names == ["name"])
            #expect(fileText(folder / "name") == "text")
        }
        #expect(!exists(path))
    }

    @Test func damageIsRepeatable() {
        let bytes = [UInt8](0...255)
        #expect(Array(truncations(of: [1, 2, 3])) == [[], [1], [1, 2]])
        let first = Array(bitFlips(of: bytes, count: 50))
        #expect(first == Array(bitFlips(of: bytes, count: 50)))
        #expect(first.count == 50 && first.allSatisfy { $0.count == 256 })
        #expect(first != Array(bitFlips(of: bytes, count: 50, seed: 2)))
        #expect(Array(bitFlips(of: [], count: 5)).isEmpty)
    }

    @Test func theRootHoldsThePackage() {
        #expect(exists(Repository.root + "/Package.swift"))
    }
}
