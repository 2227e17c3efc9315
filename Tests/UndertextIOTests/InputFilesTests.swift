import Foundation
import TestSupport
import Testing
import UndertextCore

@testable import UndertextIO

extension OutputTests {
    /// An input is never replaced, by any path that leads to it.
    @Suite struct InputFilesTests {
        private let folder = TemporaryDirectory()

        private func code(_ body: () throws -> Void) -> UndertextError.Code? {
            (#expect(throws: UndertextError.self) { try body() })?.code
        }

        private func replace(_ path: String) throws {
            let output = try OutputFile(path: path)
            try output.write("new")
            try output.commit(replacing: true)
        }

        @Test func filesThatAreReadStay() throws {
            let path = folder.write("old", to: "a")
            try #require(run("ln", [path, folder / "hard"]).status == 0)
            try #require(run("ln", ["-s", path, folder / "soft"]).status == 0)
            try InputFiles.record {
                _ = try FileSource(path: folder / "soft")
                for name in ["a", "hard", "soft", "../\(PathName.baseName(folder.path))/a"] {
                    #expect(code { try replace(folder / name) } == .outputIsInput, "\(name)")
                }
            }
            #expect(fileText(path) == "old")
            #expect(folder.names == ["a", "hard", "soft"])
            try replace(path)
            #expect(fileText(path) == "new")
        }

        @Test func ownFilesAreReplaced() throws {
            let path = folder.write("old", to: "a")
            try InputFiles.record {
                _ = try FileSystem.contents(of: path, limit: 10, isInput: false)
                try replace(path)
            }
            #expect(fileText(path) == "new")
        }

        @Test func namedOnesCountWithoutBeingRead() throws {
            let path = folder.write("old", to: "a")
            InputFiles.record {
                InputFiles.note(path)
                #expect(InputFiles.contains(path))
                #expect(!InputFiles.contains(folder / "b"))
                #expect(code { try replace(path) } == .outputIsInput)
            }
            #expect(!InputFiles.contains(path))
        }

        @Test func anotherRunReadsOtherFiles() throws {
            let path = folder.write("old", to: "a")
            let other = Monitor(false)
            InputFiles.record {
                InputFiles.note(path)
                // A detached thread, as applications have them.
                Thread.detachNewThread {
                    let found = InputFiles.record { InputFiles.contains(path) }
                    #expect(!found)
                    other.with { $0 = true }
                    other.wakeAll(.consumers)
                }
                #expect(
                    other.wait(.consumers, timeout: .seconds(60), for: { $0 ? true : nil }) == true)
                #expect(InputFiles.contains(path))
            }
        }

        @Test func threadsOfARunBelongToIt() throws {
            let path = folder.write("old", to: "a")
            InputFiles.record {
                let worker = WorkerThread {
                    InputFiles.note(path)
                    InputFiles.record { #expect(InputFiles.contains(path)) }
                }
                worker?.join()
                #expect(InputFiles.contains(path))
            }
        }

        @Test func foldersKeepThem() throws {
            try #require(makeFolder(folder / "out"))
            folder.write("index", to: "out/index")
            folder.write("input", to: "out/1")
            try InputFiles.record {
                _ = try FileSource(path: folder / "out/1")
                for names in [["1", "index"], ["index"]] {
                    let output = try OutputFolder(path: folder / "out")
                    for name in names { try output.write([1], name: name) }
                    #expect(
                        code { try output.commit(replacingListed: ["1", "index"]) }
                            == .outputIsInput)
                }
            }
            #expect(fileText(folder / "out/1") == "input")
            #expect(fileText(folder / "out/index") == "index")
            #expect(folder.names == ["out"])
        }
    }
}
