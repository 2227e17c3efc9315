import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// The list of formats and what it is asked.
@Suite struct SubtitleFormatTests {
    @Test func namesAndCodecsAreUnique() {
        let names = SubtitleFormat.all.map(\.name)
        #expect(Set(names).count == names.count)
        let codecs = SubtitleFormat.all.flatMap(\.codecs)
        #expect(Set(codecs).count == codecs.count)
        for format in SubtitleFormat.all { #expect(SubtitleFormat(name: format.name) == format) }
    }

    @Test func everyFormatIsReadOrDecoded() {
        for format in SubtitleFormat.all where format.output == nil {
            #expect(format.textFile != nil || format.decoder != nil, "\(format)")
        }
        for format in SubtitleFormat.all where format.nativeName != nil {
            #expect(format.native?.output != nil, "\(format)")
        }
    }

    @Test(arguments: ["lrc", "MPL", "sbv", "smi", "sami", "mcc"])
    func extensionsWithoutOutput(_ ending: String) {
        #expect(SubtitleFormat.isExtensionWithoutOutput(ending))
        #expect(SubtitleFormat(outputExtension: ending) == nil)
    }

    @Test(arguments: [
        ("vtt", SubtitleFormat.webVTT), ("SRT", .subRip), ("scc", .scc), ("stl", .ebuSTL),
        ("dfxp", .ttml),
        ("idx", .vobSub),
        ("sub", .vobSub), ("images", .png), ("png", .png), ("sup", .pgs), ("jsonl", .jsonLines),
    ])
    func extensionsOfOutputs(_ ending: String, _ format: SubtitleFormat) {
        #expect(SubtitleFormat(outputExtension: ending) == format)
        #expect(!SubtitleFormat.isExtensionWithoutOutput(ending))
    }

    /// A file with a signature is never recognized by its first lines.
    @Test func signaturesComeFirst() {
        let text = Array("WEBVTT\n\n00:01.000 --> 00:02.000\na\n".utf8)
        #expect(SubtitleFormat.recognized(text[...]).0 == .webVTT)
        let script = Array("[Script Info]\n00:00:01,000 --> 00:00:02,000\n".utf8)
        #expect(SubtitleFormat.recognized(script[...]).0 == .ass)
        let (found, refusals) = SubtitleFormat.recognized(Array("text".utf8)[...])
        #expect(found == nil)
        #expect(refusals.map(\.format) == [.webVTT, .ass, .ttml, .sami, .subRip])
    }

    /// The page lists each format with its names, and as written exactly if tracks can be written in it.
    @Test func thePageListsEveryFormat() throws {
        let page = try #require(
            fileText(Repository.root + "/Documentation/Formats/README.md"))
        let table = page.split(separator: "\n").drop { !$0.hasPrefix("| format |") }
            .prefix { $0.hasPrefix("|") }
        let rows = table.dropFirst(2).map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.drop { $0 == " " }.split(separator: " ").joined(separator: " ") }
        }
        let columns = try #require(table.first).split(separator: "|").map {
            $0.dropFirst().dropLast()
        }
        let written = try #require(columns.firstIndex(of: "written"))
        var names: [String] = []
        for row in rows {
            names += row[1].matches(of: /`(\w+)`/).map { String($0.1) }
        }
        // Formats that files are read or written in have names that a user can choose.
        let chosen = SubtitleFormat.all.filter {
            SubtitleFormat.inputs.contains($0) || SubtitleFormat.outputs.contains($0)
        }
        #expect(names.sorted() == chosen.map(\.name).sorted())
        for format in SubtitleFormat.all {
            let row = rows.first { row in
                guard !chosen.contains(format) else { return row[1].contains("`\(format.name)`") }
                let title = row[0].matches(of: /\[(.+)\]/).first.map { String($0.1) } ?? row[0]
                return row[1] == "–" && format.title.lowercased().hasPrefix(title.lowercased())
            }
            #expect(
                row?[written] == (format.output == nil ? "–" : "yes"), "\(format): \(row ?? [])")
        }
    }
}
