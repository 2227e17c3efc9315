import Glibc
import TestSupport
import Testing

@testable import UndertextIO

/// Parts of processes that were killed go, and no others.
@Suite struct AbandonedPartsTests {
    private let folder = TemporaryDirectory()
    /// More than any system gives (C: `PID_MAX_LIMIT`).
    private let nobody = 1 << 22 + 1

    @Test func unusedEntriesAreFreed() throws {
        for name in [".a.srt.\(nobody).undertext-part", ".a.srt.\(nobody)-2.undertext-part"] {
            folder.write("x", to: name)
        }
        let own = ".own.\(getpid()).undertext-part"
        folder.write("x", to: own)
        try #require(makeFolder(folder / ".b.images.\(nobody).undertext-part"))
        folder.write("x", to: ".b.images.\(nobody).undertext-part/0001.png")
        let registry = TemporaryRegistry()
        let output = try OutputFile(path: folder / "c", registry: registry)
        #expect(folder.names == [PathName.baseName(try #require(output.temporaryPath))])
    }

    @Test func othersStay() throws {
        let kept = [
            // Process 1 always exists; the other names are not temporary files of Undertext.
            ".a.1.undertext-part", "a.\(nobody).undertext-part", ".a.undertext-part",
            ".a.0.undertext-part", ".a.x.undertext-part", ".a.1-2-3.undertext-part",
            ".a.\(nobody).part", ".undertext-part",
        ]
        for name in kept { folder.write("x", to: name) }
        try #require(
            run("ln", ["-s", folder / kept[0], folder / ".l.\(nobody).undertext-part"]).status == 0)
        try OutputFile(path: folder / "c", registry: TemporaryRegistry()).abort()
        #expect(folder.names == (kept + [".l.\(nobody).undertext-part"]).sorted())
    }

    /// A part has its lock from the beginning until it has its name, also when it was closed before.
    @Test func heldContentStays() throws {
        let registry = TemporaryRegistry()
        let file = try OutputFile(path: folder / "a", registry: registry)
        let parts = try OutputFolder(path: folder / "b", registry: registry)
        try parts.write([1], name: "1")
        let before = folder.names
        // Somebody else of the same number, as in another container.
        try OutputFile(path: folder / "c", registry: TemporaryRegistry()).abort()
        #expect(folder.names == before)
        try file.commit()
        try parts.commit()
        #expect(folder.names == ["a", "b"])
        #expect(registry.paths.isEmpty)
    }

    @Test func eachFolderIsLookedThroughOnce() throws {
        let registry = TemporaryRegistry()
        try OutputFile(path: folder / "a", registry: registry).abort()
        folder.write("x", to: ".a.\(nobody).undertext-part")
        try OutputFile(path: folder / "a", registry: registry).abort()
        #expect(folder.names.count == 1)
    }

    @Test func namesContainTheProcess() throws {
        let name = try TemporaryName(for: "/x/a.b.srt")
        for attempt in [0, 1, 7] {
            let path = PathName.baseName(name.path(attempt: attempt))
            #expect(TemporaryName.process(in: path) == getpid())
        }
    }
}
