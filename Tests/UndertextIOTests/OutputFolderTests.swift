import TestSupport
import Testing
import UndertextCore
import UndertextIO

extension OutputTests {
    @Suite struct OutputFolderTests {
        private let folder = TemporaryDirectory()

        private func code(_ body: () throws -> Void) -> UndertextError.Code? {
            (#expect(throws: UndertextError.self) { try body() })?.code
        }

        private func make(_ files: [String: String]) throws -> OutputFolder {
            let output = try OutputFolder(path: folder / "m.png")
            for (name, text) in files.sorted(by: { $0.key < $1.key }) {
                try output.write(Array(text.utf8), name: name)
            }
            return output
        }

        private var content: [String: String] {
            var result: [String: String] = [:]
            for name in names(in: folder / "m.png") {
                result[name] = fileText(folder / "m.png/\(name)")
            }
            return result
        }

        @Test func appearsOnlyWhenComplete() throws {
            let output = try make(["0001.png": "one", "index.json": "{}"])
            #expect(folder.names.count == 1 && folder.names[0].hasPrefix(".m.png."))
            try output.commit()
            #expect(folder.names == ["m.png"])
            #expect(content == ["0001.png": "one", "index.json": "{}"])
            #expect(output.names == ["0001.png", "index.json"])
            #expect(output.bytesWritten == 5)
            #expect(code { try output.write([1], name: "late") } == .io)
        }

        @Test func anAbandonedOneLeavesNothing() throws {
            _ = try make(["0001.png": "one"])
            #expect(folder.names.isEmpty)
        }

        @Test func aTakenNameStays() throws {
            try make(["0001.png": "old"]).commit()
            let again = try make(["0001.png": "new"])
            #expect(code { try again.commit() } == .outputExists)
            #expect(content == ["0001.png": "old"])
            #expect(folder.names == ["m.png"])
            // An empty folder and a file are in the way too.
            try FileSystem.createDirectory(folder / "empty")
            folder.write("", to: "file")
            for name in ["empty", "file", "empty/"] {
                let output = try OutputFolder(path: folder / name)
                #expect(code { try output.commit() } == .outputExists)
            }
            let output = try OutputFolder(path: folder / "file")
            #expect(code { try output.commit(replacingListed: []) } == .outputExists)
            #expect(folder.names == ["empty", "file", "m.png"])
        }

        @Test func replacesOnlyWhatTheIndexLists() throws {
            try make(["0001.png": "a", "0002.png": "b", "0003.png": "c", "index.json": "old"])
                .commit()
            folder.write("mine", to: "m.png/notes.txt")
            folder.write("precious", to: "precious")
            let next = try make(["0001.png": "A", "0002.png": "B", "index.json": "new"])
            try next.commit(replacingListed: [
                "0001.png", "0002.png", "0003.png", "index.json", "../precious", "..", "", "none",
            ])
            #expect(
                content == [
                    "0001.png": "A", "0002.png": "B", "index.json": "new", "notes.txt": "mine",
                ])
            #expect(fileText(folder / "precious") == "precious")
            #expect(folder.names == ["m.png", "precious"])
        }

        @Test func foreignFilesOfTheSameNameStopIt() throws {
            try make(["0001.png": "a", "index.json": "old"]).commit()
            folder.write("mine", to: "m.png/0002.png")
            let next = try make(["0001.png": "A", "0002.png": "B", "index.json": "new"])
            #expect(
                code { try next.commit(replacingListed: ["0001.png", "index.json"]) }
                    == .outputExists)
            #expect(content == ["0001.png": "a", "0002.png": "mine", "index.json": "old"])
            #expect(folder.names == ["m.png"])
        }

        /// A replacement that ended in the middle leaves files that no index lists; the next one replaces them.
        @Test func continuesAnInterruptedReplacement() throws {
            try make(["0001.png": "a", "0003.png": "c", "index.json": "old"]).commit()
            // The index, which is moved last, cannot be replaced.
            _ = run("rm", [folder / "m.png/index.json"])
            try #require(makeFolder(folder / "m.png/index.json"))
            let old = ["0001.png", "0003.png", "index.json"]
            let next = try make(["0001.png": "A", "0002.png": "B", "index.json": "new"])
            #expect(code { try next.commit(replacingListed: old) } != nil)
            #expect(content["0002.png"] == "B")
            try #require(run("rmdir", [folder / "m.png/index.json"]).status == 0)
            folder.write("old", to: "m.png/index.json")
            folder.write("mine", to: "m.png/notes.txt")

            let last = try make(["0002.png": "2", "0004.png": "4", "index.json": "last"])
            try last.commit(replacingListed: old)
            #expect(
                content == [
                    "0002.png": "2", "0004.png": "4", "index.json": "last", "notes.txt": "mine",
                ])
        }

        @Test func replacingNothingIsACommit() throws {
            try make(["0001.png": "a"]).commit(replacingListed: ["0001.png"])
            #expect(content == ["0001.png": "a"])
        }

        @Test func namesStayInside() throws {
            let output = try make([:])
            for name in ["", ".", "..", "a/b", "/tmp/x", "a\0"] {
                #expect(code { try output.write([1], name: name) } == .io, "\(name)")
            }
            try output.write([1], name: "a")
            #expect(code { try output.write([1], name: "a") } == .outputExists)
        }
    }
}
