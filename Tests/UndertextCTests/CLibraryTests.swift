import TestSupport
import Testing

@Suite struct CLibraryTests {
    @Test(.requires("readelf")) func needsNoSwiftOnTheMachine() throws {
        let path = try #require(CLibrary.path)
        let lines = run("readelf", ["-d", path]).text.split(separator: "\n")
        let needed = lines.filter { $0.contains("(NEEDED)") }
        #expect(!needed.isEmpty)
        for line in needed {
            #expect(!line.contains("swift") && !line.contains("Foundation"), "\(line)")
            // These are loaded at their first use.
            for name in ["libav", "libass", "libcurl", "libtesseract", "libuchardet"] {
                #expect(!line.contains("[" + name), "\(line)")
            }
        }
        #expect(lines.contains { $0.contains("SONAME") && $0.contains("[libundertext.so.0]") })
        // Nothing of the machine that it was built on.
        for line in lines where line.contains("PATH)") {
            #expect(line.contains("[$ORIGIN]"), "\(line)")
        }
    }

    @Test(.requires("nm")) func exportsWhatTheHeaderDeclares() throws {
        let path = try #require(CLibrary.path)
        let exported = Set(
            run("nm", ["-D", "--defined-only", "--extern-only", path]).text.split(separator: "\n")
                .compactMap {
                    // A name with the version of the interface: name@@UNDERTEXT_0.
                    $0.split(separator: " ").last?.split(separator: "@").first.map(String.init)
                })
        let header = try #require(
            fileBytes(Repository.root + "/Sources/Libraries/CUndertext/undertext.h"))
        let text = String(decoding: header, as: UTF8.self)
        // A declaration is a name at the beginning of its brackets; comments name functions as name().
        var declared: Set<String> = []
        for line in text.split(separator: "\n") where !line.hasPrefix(" *") && !line.hasPrefix("/*")
        {
            for match in line.matches(of: /\b(undertext_\w+)\(/) where match.1 != "undertext_sized"
            {
                declared.insert(String(match.1))
            }
        }
        #expect(declared.count > 40)
        // The version itself is a symbol, too.
        #expect(exported.subtracting(["UNDERTEXT_0"]) == declared)
    }

    /// The version is stated in Swift, for messages and scripts, and in the header, for the preprocessor.
    @Test func theHeaderHasTheVersionOfTheLibrary() throws {
        let root = Repository.root
        let source = try #require(fileText(root + "/Sources/Undertext/Version.swift"))
        let version = try #require(source.firstMatch(of: #/undertextVersion = "([^"]+)"/#)).1
        let header = try #require(fileText(root + "/Sources/Libraries/CUndertext/undertext.h"))
        let numbers = header.matches(of: #/define UNDERTEXT_VERSION_\w+ (\d+)/#).map(\.1)
        #expect(numbers.joined(separator: ".") == version)
        #expect(header.contains("such as \"\(version)\""))
    }

    @Test(.requires("readelf")) func symbolsHaveAVersion() throws {
        let path = try #require(CLibrary.path)
        let lines = run("readelf", ["--dyn-syms", "--wide", path]).text.split(separator: "\n")
        let opens = lines.filter { $0.contains(" undertext_media_open@") }
        #expect(opens.count == 1 && opens[0].contains("@@UNDERTEXT_0"), "\(opens)")
    }

    /// Sizes and offsets of members are fixed for programs that are already compiled.
    @Test(.requires("gcc", "g++")) func structsLieAsTheyDid() {
        #expect(CLibrary.program("layout.c") != nil)
        #expect(CLibrary.program("layout.c", compiler: "g++", language: ["-x", "c++"]) != nil)
    }

    @Test(
        .requires("gcc", "g++"),
        arguments: ["c/convert.c", "c/cues.c", "c/events.c", "c/overlay.c"])
    func examplesCompileAsCAndAsCPlusPlus(source: String) {
        #expect(CLibrary.example(source, compiler: "gcc") != nil)
        #expect(CLibrary.example(source, compiler: "g++", language: ["-x", "c++"]) != nil)
    }
}
