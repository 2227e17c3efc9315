import TestSupport
import Testing
import Undertext
import UndertextPlayback

/// The Swift of the README and of the players' guide, run on fixtures, and what both say of the package.
///
/// Paths here are names there: `path` is `"movie.mkv"`, `script` is `"film.ass"`, `folder.path` is `"subtitles"`.
@Suite struct ReadmeSnippets {
    let path = fixture("containers/movie.mkv")
    let script = fixture("subtitles/signs.ass")
    let folder = TemporaryDirectory()

    @Test func tracksAndCues() async throws {
        let media = try await Media.open(path)
        for track in media.subtitleTracks {
            print(track.id, track.codec, track.language ?? "und", track.title ?? "")
        }
        for try await cue in media.subtitleTracks[0].cues(in: .seconds(10)...) {
            print(cue.start, cue.end, cue.plainText ?? "an image")
        }
        #expect(media.subtitleTracks.count >= 4)
        var count = 0
        for try await _ in media.subtitleTracks[0].cues(in: .seconds(10)...) { count += 1 }
        #expect(count > 0)
    }

    @Test func someTracksToFiles() async throws {
        let media = try await Media.open(path)
        let report = try await media.extract(.language("en"), as: .native, to: folder.path)
        for output in report.tracks.flatMap(\.outputs) { print(output.file, output.bytes) }
        #expect(report.outcome == .complete)
        #expect(report.tracks.count > 1)
        #expect(report.tracks.allSatisfy { $0.status == .written && $0.stream.language == "en" })
    }

    @Test func conversionWithLosses() async throws {
        // swift-format-ignore
        let encoded = try await Media.open(script).subtitleTracks[0].textDocument().encoded(as: .webVTT)
        print(encoded.bytes.count, encoded.losses)
        #expect(!encoded.bytes.isEmpty && !encoded.losses.isEmpty)
    }

    @Test func whatIsOnScreen() throws {
        let media = try Media(path)
        let timeline = CueTimeline(try media.subtitleTracks[0].document().cues)
        for cue in timeline.cues(at: .milliseconds(1500)) { print(cue.plainText ?? "an image") }
        if let next = timeline.nextChange(after: .milliseconds(1500)) { print(next) }
        #expect(!timeline.cues(at: .milliseconds(1500)).isEmpty)
        #expect(timeline.nextChange(after: .milliseconds(1500)) != nil)
    }

    @Test func inputsOfOnesOwn() async throws {
        let bytes = try fixtureBytes("containers/movie.mkv")
        final class Slice: ByteSource {
            let bytes: [UInt8]
            init(_ bytes: [UInt8]) { self.bytes = bytes }
            var size: UInt64 { UInt64(bytes.count) }
            // swift-format-ignore
            func read(at offset: UInt64, count: Int) throws -> [UInt8] { Array(bytes[Int(offset)...].prefix(count)) }
        }
        let own = try await Media.open(.source(Slice(bytes)))
        let download = try await Media.open(.bytes(bytes, name: "download.mkv"))
        #expect(own.subtitleTracks.map(\.stream) == download.subtitleTracks.map(\.stream))
        #expect(own.subtitleTracks.count >= 4)
    }

    /// Each line of the README's Swift, and of the guide's parts without a model, is in this file, in that order.
    @Test func thePagesSayTheSame() throws {
        let readme = try blocks("swift", of: "README.md").filter { !$0.contains(".package(") }
        #expect(readme.count == 1)
        let guide = try blocks("swift", of: "Documentation/Players.md")
            .filter { $0.contains("CueTimeline(") || $0.contains("ByteSource") }
        #expect(guide.count == 2)
        let source = try #require(fileText(#filePath))
        for block in readme + guide {
            let lines = block.split(separator: "\n").map { $0.drop { $0 == " " } }
            #expect(lines.count <= 14)
            var rest = source[...]
            for line in lines where line != "import Undertext" {
                var wanted = String(line)
                for (name, path) in [
                    ("movie.mkv", "path"), ("film.ass", "script"), ("subtitles", "folder.path"),
                ] {
                    wanted = wanted.split(
                        separator: "\"\(name)\"", omittingEmptySubsequences: false
                    ).joined(separator: path)
                }
                let found = rest.firstRange(of: wanted)
                #expect(found != nil, "not in the test: \(line)")
                if let found { rest = rest[found.upperBound...] }
            }
        }
    }

    /// The table of the README has the products and traits of the manifest, each once.
    @Test func theReadmeListsProductsAndTraits() throws {
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
        let block = try #require(
            try blocks("swift", of: "README.md").first { $0.contains(".package(") })
        for match in block.matches(of: /traits: \["(\w+)"\]/) {
            #expect(traits.contains(String(match.1)))
        }
        for match in block.matches(of: /\.product\(name: "(\w+)"/) {
            #expect(products.contains(String(match.1)))
        }
    }

    /// A visitor reads it in two minutes.
    @Test func theReadmeIsShort() throws {
        let readme = try #require(fileText(Repository.root + "/README.md"))
        #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 121)
    }

    /// The fenced blocks of a language in a page.
    private func blocks(_ language: String, of page: String) throws -> [Substring] {
        try #require(fileText(Repository.root + "/" + page)).split(separator: "```\(language)\n")
            .dropFirst().compactMap { $0.split(separator: "```", maxSplits: 1).first }
    }
}
