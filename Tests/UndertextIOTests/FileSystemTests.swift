import TestSupport
import Testing
import UndertextCore
import UndertextIO

@Suite struct FileSystemTests {
    private let folder = TemporaryDirectory()

    @Test func makesFoldersAndSaysWhich() throws {
        let made = try FileSystem.createDirectory(folder / "a/b//c/")
        #expect(FileSystem.isDirectory(folder / "a/b/c"))
        #expect(made.map { PathName.baseName($0) }.filter { $0 != "" }.first == "a")
        #expect(try FileSystem.createDirectory(folder / "a/b").isEmpty)
        FileSystem.removeDirectories(made)
        #expect(folder.names.isEmpty)
        #expect(try FileSystem.createDirectory(".").isEmpty)
        #expect(try FileSystem.createDirectory("").isEmpty)
        #expect(try FileSystem.createDirectory("/").isEmpty)
    }

    /// Names are bytes: one that is not UTF-8 is found, read, listed and written.
    @Test func namesThatAreNotUTF8() throws {
        let name = PathText.text(of: [0x63, 0xE9, 0x2E, 0x61])
        let path = PathName.joining(folder.path, name)
        let output = try OutputFile(path: path)
        try output.write("text")
        try output.commit()
        #expect(try FileSystem.names(in: folder.path) == [name])
        #expect(FileSystem.exists(path) && FileSystem.size(of: path) == 4)
        #expect(try FileSystem.contents(of: path, limit: 10) == Array("text".utf8))
        #expect(FileSystem.canonical(path).map(PathName.baseName) == name)
        #expect(
            run("sh", ["-c", "cat c\"$(printf '\\351')\".a"], directory: folder.path).text == "text"
        )
        let inner = PathName.joining(path + "-folder", name)
        #expect(try FileSystem.createDirectory(inner).count == 2)
        #expect(FileSystem.isDirectory(inner))
        #expect(PathName.sanitised(name) == "c_.a")
        #expect(FileSystem.removeFile(path) && !FileSystem.exists(path))
    }

    @Test func foldersThatCannotBeMade() throws {
        folder.write("", to: "file")
        for (path, code) in [
            (folder / "file", UndertextError.Code.notDirectory), (folder / "file/a", .notDirectory),
            ("/sys/undertext-test/a", .permission),
            (folder / "a/" + String(repeating: "x", count: 300), .nameTooLong),
        ] {
            let error = #expect(throws: UndertextError.self) {
                try FileSystem.createDirectory(path)
            }
            #expect(error?.code == code, "\(path)")
        }
        // Folders that were created before a failure are removed.
        #expect(folder.names == ["file"])
    }

    @Test func looksWithoutFollowing() throws {
        #expect(run("ln", ["-s", folder / "none", folder / "link"]).status == 0)
        #expect(FileSystem.exists(folder / "link"))
        #expect(!FileSystem.exists(folder / "none"))
        #expect(!FileSystem.isDirectory(folder / "link"))
        #expect(FileSystem.size(of: folder / "none") == nil)
        #expect(FileSystem.size(of: folder.write("four", to: "f")) == 4)
        #expect(run("ln", [folder / "f", folder / "hard"]).status == 0)
        #expect(FileSystem.isSameFile(folder / "f", folder / "hard"))
        #expect(!FileSystem.isSameFile(folder / "f", folder / "link"))
        #expect(try FileSystem.names(in: folder.path) == ["f", "hard", "link"])
        #expect(throws: UndertextError.self) { try FileSystem.names(in: folder / "f") }
    }

    @Test func wholeFilesHaveALimit() throws {
        let path = folder.write("12345", to: "f")
        #expect(try FileSystem.contents(of: path, limit: 5) == Array("12345".utf8))
        let error = #expect(throws: UndertextError.self) {
            try FileSystem.contents(of: path, limit: 4)
        }
        #expect(error?.code == .limit)
        #expect(throws: UndertextError.self) { try FileSystem.contents(of: path, limit: -1) }
    }

    @Test func terminalsAreAbsentHere() {
        #expect(!Terminal.isTerminal(987))
        #expect(Terminal.width(987) == nil)
    }
}

@Suite struct PathNameTests {
    @Test(arguments: [
        ("/a/b/c.tar.gz", "/a/b", "c.tar.gz", "gz", "c.tar"), ("c.srt", ".", "c.srt", "srt", "c"),
        ("/c", "/", "c", "", "c"), ("a/", "a", "", "", ""), ("/", "/", "", "", ""),
        ("", ".", "", "", ""), ("a//b", "a", "b", "", "b"),
        (".hidden", ".", ".hidden", "", ".hidden"),
        ("a.b/c", "a.b", "c", "", "c"), ("..", ".", "..", "", ".."), ("x.", ".", "x.", "", "x"),
        ("d/é.ü", "d", "é.ü", "ü", "é"), ("a/\u{301}b.c", "a", "\u{301}b.c", "c", "\u{301}b"),
    ])
    func parts(_ path: String, _ folder: String, _ base: String, _ ending: String, _ stem: String) {
        #expect(PathName.directoryName(path) == folder)
        #expect(PathName.baseName(path) == base)
        #expect(PathName.fileExtension(path) == ending)
        #expect(PathName.stem(path) == stem)
    }

    @Test func joins() {
        #expect(PathName.joining("a", "b") == "a/b")
        #expect(PathName.joining("a/", "b") == "a/b")
        #expect(PathName.joining("/", "b") == "/b")
        #expect(PathName.joining(".", "b") == "b")
        #expect(PathName.joining("", "b") == "b")
        #expect(PathName.joining("a", "/b") == "/b")
    }

    @Test func sanitisesNames() {
        #expect(PathName.sanitised("Font One.ttf") == "Font One.ttf")
        #expect(PathName.sanitised("../../etc/passwd") == "_.._etc_passwd")
        #expect(PathName.sanitised("..") == nil)
        #expect(PathName.sanitised("") == nil)
        #expect(PathName.sanitised("///") == nil)
        #expect(PathName.sanitised(".bashrc") == "bashrc")
        #expect(PathName.sanitised("a\0b\u{202E}c\nd:e") == "a_b_c_d_e")
        let long = PathName.sanitised(String(repeating: "字", count: 300) + ".ttf")
        #expect(long?.utf8.count == 199 && long?.hasSuffix("字.ttf") == true)
        #expect(PathName.sanitised(".\u{301}x. ") == "\u{301}x")
        #expect(PathName.sanitised("abc. def.ttf", limit: 8) == "abc..ttf")
        #expect(PathName.sanitised("abc  def", limit: 4) == "abc")
        // Marks that combine must not hide a slash.
        #expect(PathName.sanitised("a/\u{301}b")?.unicodeScalars.contains("/") == false)
    }
}
