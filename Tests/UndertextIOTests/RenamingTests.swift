import TestSupport
import Testing

@testable import UndertextIO

/// Each way to rename without replacing, regardless of the file system of this machine.
@Suite struct RenamingTests {
    typealias Way = @Sendable (String, String) throws -> Bool

    static let ways: [(String, Way)] = [
        ("renameat2", { try Renaming.exclusively($0, $1) }),
        ("link", { try Renaming.linked($0, $1) }),
        (
            "reservation",
            {
                try Renaming.moveByReservation($0, $1)
                return true
            }
        ),
        (
            "first that works",
            {
                try Renaming.moveFile($0, toFree: $1)
                return true
            }
        ),
    ]

    /// `true` if the file system of temporary files supports each way.
    private static func supportsAllWays() throws -> Bool {
        try ways.allSatisfy { _, way in
            let folder = TemporaryDirectory()
            return try way(folder.write("new", to: "old"), folder / "free")
        }
    }

    @Test(
        .enabled(
            if: try supportsAllWays(), "the file system of temporary files lacks a way to rename"),
        arguments: ways.indices)
    func takesAFreeNameOnly(_ index: Int) throws {
        let way = Self.ways[index].1
        let folder = TemporaryDirectory()
        let old = folder.write("new", to: "old")
        try #require(try way(old, folder / "free"))
        #expect(folder.names == ["free"])
        #expect(fileText(folder / "free") == "new")

        folder.write("kept", to: "taken")
        let failure = #expect(throws: SystemFailure.self) {
            try way(folder / "free", folder / "taken")
        }
        #expect(failure?.text == "File exists")
        #expect(fileText(folder / "taken") == "kept")
        #expect(fileText(folder / "free") == "new")
    }

    @Test(arguments: ways.indices) func aMissingFileLeavesNoTrace(_ index: Int) throws {
        let folder = TemporaryDirectory()
        #expect(throws: SystemFailure.self) {
            try Self.ways[index].1(folder / "none", folder / "free")
        }
        #expect(folder.names.isEmpty)
    }
}
