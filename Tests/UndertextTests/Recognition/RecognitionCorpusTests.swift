import TestSupport
import Testing
import UndertextCore

@testable import Undertext

/// The text of every bitmap caption of the corpus.
@Suite(.requiresCorpus("bitmap_text.json"), .requiresRecognition("en", "de", "fr"))
struct RecognitionCorpusTests {
    private static let languages = [
        "subtitles-rs/fixtures/example.idx": "de",
        "subtitleedit/tests/libse/Files/sample_TS_with_graphics.ts": "fr",
    ]

    /// Letters without accents, and no spaces: what the list was made to be compared by.
    private func folded(_ text: String) -> [Unicode.Scalar] {
        text.flatMap { character in
            character.isWhitespace
                ? [] : "\(character)".decomposedScalars.filter { !$0.properties.isDiacritic }
        }
    }

    private func distance(_ one: [Unicode.Scalar], _ other: [Unicode.Scalar]) -> Int {
        var row = Array(0...other.count)
        for (i, left) in one.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, right) in other.enumerated() {
                let change = diagonal + (left == right ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(change, row[j] + 1, diagonal + 1)
            }
        }
        return row[other.count]
    }

    /// The number of wrong characters of a track, and the number of all.
    private func read(_ key: String, _ entry: JSON) throws -> (wrong: Int, all: Int, captions: Int)
    {
        let parts = key.split(separator: "#").map(String.init)
        let name = parts[0]
        let number = Int(parts[1].dropFirst()) ?? 0
        let path = try #require(corpusPath(name))
        let options = try RecognitionSample.options(Self.languages[name] ?? "en")
        let file = try Media(path)
        let tracks = file.subtitleTracks.filter { $0.kind == .bitmap }
        let pool = try RecognitionPool(options, cancellation: nil)
        var recognizer = CueRecognizer(
            pool, becomesText: false, canvas: RecognitionSample.canvas,
            diagnostics: DiagnosticSink())
        let track = tracks[min(number, tracks.count - 1)]
        var cues: [Cue] = []
        for cue in try track.document().cues { cues += try recognizer.add(cue) }
        cues += try recognizer.finish()
        var (wrong, all, captions) = (0, 0, 0)
        for (place, caption) in (entry["captions"]?.values ?? []).enumerated() {
            guard case .string(let text)? = caption["text"] else { continue }
            let found = cues.indices.contains(place) ? cues[place].recognition?.text ?? "" : ""
            let (expected, read) = (folded(text), folded(found))
            let errors = distance(expected, read)
            if errors * 10 > expected.count {
                print("beyond 10 %: \(key) \(place): \(found) for \(text)")
            }
            wrong += errors
            all += expected.count
            captions += 1
        }
        return (wrong, all, captions)
    }

    /// Each track within a tenth, as the list was made for; all of them within a twentieth.
    @Test(arguments: CorpusStatesTests.tracks) func words(_ name: String, _ number: Int) throws {
        let list = try #require(corpusPath("bitmap_text.json"))
        let json = try #require(fileBytes(list).flatMap(readJSON))
        let key = "\(name)#s\(number)"
        let entry = try #require(json[key])
        let found = try read(key, entry)
        // Of one image the list has no text.
        #expect(found.captions > 0 || name.hasSuffix("tiny.idx"))
        #expect(found.wrong * 10 <= found.all, "\(key): \(found)")
    }

    @Test func captions() throws {
        let list = try #require(corpusPath("bitmap_text.json"))
        let json = try #require(fileBytes(list).flatMap(readJSON))
        guard case .object(let members) = json else {
            Issue.record("no object")
            return
        }
        var (wrong, all, captions) = (0, 0, 0)
        let tracks = members.filter { !$0.key.hasPrefix("_") }
        #expect(tracks.count == CorpusStatesTests.tracks.count)
        for member in tracks {
            let found = try read(member.key, member.value)
            wrong += found.wrong
            all += found.all
            captions += found.captions
        }
        print("recognition: \(wrong) of \(all) characters wrong in \(captions) captions")
        #expect(captions == 25)
        #expect(wrong * 20 <= all)
    }
}

extension String {
    /// The scalars with accents apart, as far as Latin letters go.
    fileprivate var decomposedScalars: [Unicode.Scalar] {
        unicodeScalars.flatMap { scalar -> [Unicode.Scalar] in
            Self.plain[scalar].map { [$0] } ?? [scalar]
        }
    }

    private static let plain: [Unicode.Scalar: Unicode.Scalar] = {
        let pairs = zip(
            "àâäáãåçéèêëíìîïñóòôöõúùûüýÿÀÂÄÁÇÉÈÊËÎÏÔÖÙÛÜ".unicodeScalars,
            "aaaaaaceeeeiiiinooooouuuuyyAAAACEEEEIIOOUUU".unicodeScalars)
        return Dictionary(uniqueKeysWithValues: pairs.map { ($0, $1) })
    }()
}
