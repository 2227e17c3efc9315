import TestSupport
import Testing

/// The README and the guides: their code is that of Examples/swift, which `Scripts/guides.sh` builds and runs, and what
/// the README says of the package is what the manifest says.
@Suite struct GuidePagesTests {
    static let guides = [
        "GettingStarted", "ShowSubtitlesInAPlayer", "ExtractAndConvert", "RecognizeText",
        "Streaming",
    ]
    static let catalog = "Sources/Undertext/Documentation.docc/"

    @Test func theReadmeHasTheCodeOfItsProgram() throws {
        let blocks = try blocks("swift", of: "README.md").filter { !$0.contains(".package(") }
        #expect(blocks.count == 1)
        // The program calls the function of the page.
        #expect(
            try code(of: "Readme") == (blocks.first ?? "") + "\ntry await subtitles()\n")
    }

    /// The blocks of a guide are the entire program, in order.
    @Test(arguments: guides) func guidesHaveTheCodeOfTheirPrograms(name: String) throws {
        let blocks = try blocks("swift", of: Self.catalog + name + ".md")
            .filter { !$0.contains(".package(") }
        #expect(blocks.count >= 2)
        #expect(try blocks.joined(separator: "\n") == code(of: name))
    }

    /// The parts of the players' guide without a model are in a program.
    @Test func thePlayersGuideHasTheCodeOfItsProgram() throws {
        let blocks = try blocks("swift", of: "Documentation/Players.md")
            .filter { $0.contains("CueTimeline(") || $0.contains("ByteSource") }
        #expect(blocks.count == 2)
        let source = try code(of: "Players")
        for block in blocks { #expect(source.contains(block), "not in the program: \(block)") }
    }

    /// Each program is one of a page, what it prints is recorded, and the landing page leads to each guide.
    @Test func everyProgramBelongsToAPage() throws {
        let manifest = try #require(fileText(Repository.root + "/Examples/swift/Package.swift"))
        let programs = manifest.matches(of: /(?m)^ *program\("(\w+)"/).map { String($0.1) }
        #expect(programs.sorted() == (Self.guides + ["Players", "Readme"]).sorted())
        for program in programs {
            let expected = fileText("\(Repository.root)/Examples/swift/Expected/\(program).txt")
            #expect(expected?.isEmpty == false, "\(program)")
        }
        let landing = try #require(fileText("\(Repository.root)/\(Self.catalog)Undertext.md"))
        let readme = try #require(fileText(Repository.root + "/README.md"))
        for guide in Self.guides {
            #expect(landing.contains("- <doc:\(guide)>"))
            #expect(readme.contains("(\(Self.catalog)\(guide).md)"))
        }
    }

    /// The snippets for manifests name products and traits of the manifest, and its table has each once.
    @Test func thePagesNameProductsAndTraits() throws {
        let manifest = try #require(fileText(Repository.root + "/Package.swift"))
        let products = manifest.matches(of: /\.library\(name: "(\w+)", targets/).map {
            String($0.1)
        }
        let traits = manifest.matches(of: /\.trait\(\s*name: "(\w+)"/).map { String($0.1) }
        #expect(products.count > 4 && traits.count > 3)
        let readme = try #require(fileText(Repository.root + "/README.md"))
        let listed = readme.matches(of: /(?m)^\| `(Undertext\w*)`/).map { String($0.1) }
        // Tests/Fuzz alone uses FuzzTargets.
        #expect(listed.sorted() == products.filter { $0 != "FuzzTargets" }.sorted())
        for trait in traits { #expect(readme.contains("`\(trait)`"), "\(trait)") }
        for page in ["README.md"] + Self.guides.map({ Self.catalog + $0 + ".md" }) {
            let blocks = try blocks("swift", of: page).filter { $0.contains(".package(") }
            #expect(blocks.count == 1, "\(page)")
            for block in blocks {
                for list in block.matches(of: /traits: \[([^\]]*)\]/) {
                    for match in list.1.matches(of: /"(\w+)"/) {
                        #expect(traits.contains(String(match.1)))
                    }
                }
                for match in block.matches(of: /\.product\(name: "(\w+)"/) {
                    #expect(products.contains(String(match.1)))
                }
            }
        }
    }

    /// A visitor reads it in two minutes.
    @Test func theReadmeIsShort() throws {
        let readme = try #require(fileText(Repository.root + "/README.md"))
        #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 121)
    }

    /// The code of a program of Examples/swift.
    private func code(of program: String) throws -> String {
        try #require(fileText("\(Repository.root)/Examples/swift/Sources/\(program)/main.swift"))
    }

    /// The fenced blocks of a language in a page.
    private func blocks(_ language: String, of page: String) throws -> [Substring] {
        try #require(fileText(Repository.root + "/" + page)).split(separator: "```\(language)\n")
            .dropFirst().compactMap { $0.split(separator: "```", maxSplits: 1).first }
    }
}
