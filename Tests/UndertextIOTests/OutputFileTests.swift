import TestSupport
import Testing
import UndertextCore
import UndertextIO

/// Serialized: they look at what the whole process has registered.
@Suite(.serialized) enum OutputTests {}

extension OutputTests {
    @Suite struct OutputFileTests {
        private let folder = TemporaryDirectory()

        private func code(_ body: () throws -> Void) -> UndertextError.Code? {
            (#expect(throws: UndertextError.self) { try body() })?.code
        }

        @Test func appearsOnlyWhenComplete() throws {
            let path = folder / "a.srt"
            let file = try OutputFile(path: path)
            let bytes = [UInt8](repeating: 65, count: 200_000)
            try file.write("x")
            try file.write(bytes)
            try file.write(bytes[..<10])
            #expect(folder.names.count == 1)
            let temporary = try #require(folder.names.first)
            #expect(temporary.hasPrefix(".a.srt.") && temporary.hasSuffix(".undertext-part"))
            #expect(file.temporaryPath == folder / temporary)
            #expect(TemporaryRegistry.ofProcess.paths.contains(folder / temporary))
            try file.commit()
            #expect(folder.names == ["a.srt"])
            #expect(fileBytes(path) == [120] + bytes + bytes[..<10])
            #expect(file.bytesWritten == 200_011)
            #expect(!TemporaryRegistry.ofProcess.paths.contains(folder / temporary))
        }

        @Test func anAbandonedOneLeavesNothing() throws {
            do {
                let file = try OutputFile(path: folder / "a")
                try file.write("text")
                #expect(folder.names.count == 1)
            }
            #expect(folder.names.isEmpty)
            let file = try OutputFile(path: folder / "a")
            file.abort()
            #expect(folder.names.isEmpty)
            #expect(code { try file.write("more") } == .io)
            #expect(code { try file.commit() } == .io)
            #expect(folder.names.isEmpty)
        }

        @Test func replacesOnlyOnRequest() throws {
            let path = folder.write("old", to: "a")
            let first = try OutputFile(path: path)
            try first.write("new")
            #expect(code { try first.commit() } == .outputExists)
            #expect(fileText(path) == "old")
            #expect(folder.names == ["a"])
            let second = try OutputFile(path: path)
            try second.write("new")
            try second.commit(replacing: true)
            #expect(fileText(path) == "new")
            #expect(folder.names == ["a"])
            // A second commit must not report success.
            #expect(code { try second.commit(replacing: true) } == .io)
        }

        @Test func ofTwoWritersOneWins() throws {
            let path = folder / "a"
            let first = try OutputFile(path: path)
            let second = try OutputFile(path: path)
            #expect(folder.names.count == 2)
            try first.write("first")
            try second.write("second")
            try second.commit()
            #expect(code { try first.commit() } == .outputExists)
            #expect(fileText(path) == "second")
            #expect(folder.names == ["a"])
        }

        @Test func racingCommitsLetOneThrough() async throws {
            for round in 0..<20 {
                let path = folder / "race-\(round)"
                let wins = await withTaskGroup(of: Int.self) { group in
                    for writer in 0..<8 {
                        group.addTask { Self.tryToWrite(path, "\(writer)") ? 1 : 0 }
                    }
                    return await group.reduce(0, +)
                }
                #expect(wins == 1)
            }
            #expect(folder.names.count == 20)
        }

        private static func tryToWrite(_ path: String, _ text: String) -> Bool {
            do {
                let file = try OutputFile(path: path)
                try file.write(text)
                try file.commit()
                return true
            } catch {
                return false
            }
        }

        @Test func aLinkInTheWayIsNotFollowed() throws {
            let target = folder.write("precious", to: "target")
            #expect(run("ln", ["-s", target, folder / "link"]).status == 0)
            #expect(run("ln", ["-s", folder / "nowhere", folder / "dangling"]).status == 0)
            for name in ["link", "dangling"] {
                let file = try OutputFile(path: folder / name)
                #expect(code { try file.commit() } == .outputExists)
            }
            let file = try OutputFile(path: folder / "link")
            try file.write("new")
            try file.commit(replacing: true)
            #expect(fileText(target) == "precious")
            #expect(fileText(folder / "link") == "new")
        }

        @Test func aFolderInTheWayStays() throws {
            try FileSystem.createDirectory(folder / "a")
            for replacing in [false, true] {
                let file = try OutputFile(path: folder / "a")
                #expect(code { try file.commit(replacing: replacing) } == .outputExists)
            }
            #expect(folder.names == ["a"])
            #expect(code { _ = try OutputFile(path: folder / "a/") } == .outputExists)
            #expect(code { _ = try OutputFile(path: folder / "..") } == .outputExists)
        }

        @Test func longNamesAreShortenedOnlyMeanwhile() throws {
            // 127 characters of two bytes and one more: the limit of 255 bytes.
            let name = String(repeating: "é", count: 127) + "x"
            let file = try OutputFile(path: folder / name)
            let temporary = try #require(folder.names.first)
            #expect(temporary.utf8.count <= 255 && temporary.hasPrefix(".éé"))
            #expect(!temporary.contains("\u{FFFD}"))
            try file.write("x")
            try file.commit()
            #expect(folder.names == [name])
            #expect(code { _ = try OutputFile(path: folder / name + "y") } == .nameTooLong)
            #expect(folder.names == [name])
        }

        @Test func missingFoldersAreNamed() {
            #expect(code { _ = try OutputFile(path: folder / "none/a") } == .notFound)
            folder.write("", to: "file")
            #expect(code { _ = try OutputFile(path: folder / "file/a") } == .notDirectory)
            #expect(code { _ = try OutputFile(path: folder / "a\0b") } == .io)
        }

        @Test func refusedFoldersAreNamed() throws {
            // Root may write anywhere but into sysfs, which takes no new files from anyone.
            #expect(code { _ = try OutputFile(path: "/sys/undertext-test") } == .permission)
        }

        @Test func aFullDeviceIsReportedOnFlushAndCommit() throws {
            let file = try OutputFile(path: "/dev/full")
            #expect(file.temporaryPath == nil)
            try file.write("small")
            #expect(code { try file.flush() } == .noSpace)
            #expect(code { try file.write("again") } == .noSpace)
            #expect(code { try file.commit(replacing: true) } == .noSpace)
            let large = try OutputFile(path: "/dev/full")
            #expect(code { try large.write([UInt8](repeating: 0, count: 1 << 20)) } == .noSpace)
            #expect(FileSystem.exists("/dev/full"))
        }

        /// `true` if this process may mount a file system.
        private static func canMount() -> Bool {
            let folder = TemporaryDirectory()
            let result = run("mount", ["-t", "tmpfs", "-o", "size=64k", "none", folder.path])
            return result.status == 0 && run("umount", [folder.path]).status == 0
        }

        @Test(.enabled(if: canMount(), "no permission to mount a small tmpfs"))
        func aFullFileSystemLeavesNothing() throws {
            let mount = folder / "small"
            try FileSystem.createDirectory(mount)
            try #require(
                run("mount", ["-t", "tmpfs", "-o", "size=64k", "none", mount]).status == 0)
            defer { _ = run("umount", [mount]) }
            let file = try OutputFile(path: mount + "/a")
            #expect(
                code {
                    try file.write([UInt8](repeating: 1, count: 1 << 20))
                    try file.commit()
                } == .noSpace)
            file.abort()
            #expect(names(in: mount).isEmpty)
            #expect(run("mount", ["-o", "remount,ro", mount]).status == 0)
            #expect(code { _ = try OutputFile(path: mount + "/b") } == .readOnly)
        }

        @Test func staleTemporariesAreLeftAlone() throws {
            let probe = try OutputFile(path: folder / "a")
            let stale = try #require(probe.temporaryPath)
            probe.abort()
            writeFile([1], to: stale)
            let file = try OutputFile(path: folder / "a")
            #expect(file.temporaryPath != stale)
            try file.commit()
            #expect(fileBytes(stale) == [1])
        }

        @Test func theRegistryRemovesWhatIsUnfinished() throws {
            let registry = TemporaryRegistry()
            let file = try OutputFile(path: folder / "a", registry: registry)
            try file.write("text")
            let images = try OutputFolder(path: folder / "a.png", registry: registry)
            try images.write([1], name: "0001.png")
            #expect(folder.names.count == 2)
            registry.removeAll(refusingNew: true)
            #expect(folder.names.isEmpty)
            for commit in [{ try file.commit() }, { try images.commit() }] {
                #expect(code(commit) == .notFound)
            }
            #expect(
                code { _ = try OutputFile(path: folder / "b", registry: registry) } == .cancelled)
            #expect(folder.names.isEmpty)
        }

        @Test func devicesAreWrittenNotReplaced() throws {
            let null = try OutputFile(path: "/dev/null")
            try null.write("gone")
            try null.commit(replacing: true)
            #expect(try FileKind(of: "/dev/null") == .pipe)
        }
    }
}
