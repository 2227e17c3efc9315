import TestSupport
import Testing
import UndertextCore

/// `--ocr`: text out of bitmap tracks.
@Suite struct RecognitionTests {
    let folder = TemporaryDirectory()
    private let movie = fixture("containers/movie.mkv")

    /// `true` if the command recognizes English text.
    static let isAvailable: Bool = {
        let folder = TemporaryDirectory()
        let movie = fixture("containers/movie.mkv")
        let result = Command.undertext(
            "extract", "-q", "--ocr", "en", "--tracks", "8", "-o", folder / "out", movie)
        return result.status == 0
    }()

    @Test(.requiresRecognition, arguments: ["vtt", "srt"])
    func bitmapTracksBecomeText(_ format: String) throws {
        let out = folder / format
        let result = Command.undertext(
            "extract", "--ocr", "en", "--tracks", "bitmap", "--format", format, "-o", out, movie)
        #expect(result.status == 0, "\(result.stderr)")
        #expect(Set(names(in: out)) == ["movie.3.en.\(format)", "movie.de.\(format)"])
        let text = try #require(fileText(out + "/movie.de.\(format)"))
        #expect(text.contains("lighthouse has been dark\n"))
        // The sign is at the top.
        #expect(text.contains(format == "srt" ? "{\\an8}" : " line:0"))
    }

    /// Without `--format` bitmap tracks become WebVTT too; with `png` they stay images with text.
    @Test(.requiresRecognition) func formats() throws {
        _ = Command.undertext(
            "extract", "-q", "--ocr", "en", "--tracks", "8", "-o", folder / "text", movie)
        #expect(names(in: folder / "text") == ["movie.de.vtt"])
        for format in ["png", "json", "bdn"] {
            let out = folder / format
            let result = Command.undertext(
                "extract", "--ocr", "en", "--tracks", "8", "--format", format, "-o", out, movie)
            #expect(result.status == 0, "\(result.stderr)")
            let index = try #require(fileText(out + "/movie.de.images/index.json"))
            let cues = try JSON(parsing: index.utf8)["cues"]?.elements ?? []
            #expect(cues.count == 7)
            for cue in cues {
                #expect(cue["text"]?.text != nil)
                #expect((0..<1).contains(cue["confidence"]?.fraction ?? 1))
                #expect(cue["images"]?.elements.first?["file"]?.text != nil)
            }
            let page = try #require(fileText(out + "/movie.de.images/index.html"))
            #expect(page.contains("lighthouse has been dark<br>"))
        }
        let plain = folder / "plain"
        _ = Command.undertext("extract", "-q", "--tracks", "8", "-o", plain, movie)
        let index = try #require(fileText(plain + "/movie.de.images/index.json"))
        let cues = try JSON(parsing: index.utf8)["cues"]?.elements ?? []
        #expect(!cues.isEmpty)
        #expect(cues.allSatisfy { $0["text"] == nil && $0["confidence"] == nil })
    }

    @Test(.requiresRecognition) func toStandardOutput() {
        let text = Command.undertext(
            "extract", "--ocr", "en", "--tracks", "8", "-o", "-", movie)
        #expect(text.status == 0 && text.text.hasPrefix("WEBVTT"))
        #expect(text.text.contains("the storm."))
        let json = Command.undertext(
            "extract", "--ocr", "en", "--tracks", "8", "--format", "json", "-o", "-", movie)
        let cues = json.records("cue")
        #expect(json.status == 0 && !cues.isEmpty)
        #expect(cues.allSatisfy { (0..<1).contains($0["confidence"]?.fraction ?? 1) })
        #expect(cues.allSatisfy { $0["images"]?.elements.first?["png"]?.text != nil })
    }

    @Test(.requiresRecognition) func converted() throws {
        let sup = fixture("subtitles/bitmaps.sup")
        let result = Command.undertext("convert", "--ocr", "en", sup, folder / "a.srt")
        #expect(result.status == 0, "\(result.stderr)")
        #expect(try #require(fileText(folder / "a.srt")).contains("The lighthouse"))
        // Without the option, the error recommends it.
        let refused = Command.reported(["convert", sup, folder / "b.srt"])
        #expect(refused.status == 1 && refused.statuses == ["failed"])
        #expect(refused.result.states("--ocr LANG"))
    }

    /// Doubtful results are listed, and counted in the report.
    @Test(.requiresRecognition) func lowConfidenceIsListed() throws {
        let run = Command.reported([
            "extract", "--ocr", "en", "--tracks", "8", "-o", folder / "low", movie,
        ])
        #expect(run.status == 0)
        guard run.count("low-confidence") > 0 else {
            Issue.record("the sign of the sample is hard to read")
            return
        }
        // The threshold in percent, and how sure a cue is.
        #expect(run.result.states("80"), "\(run.result.stderr)")
        let percents = run.diagnostics("low-confidence").compactMap { $0["message"]?.text }
            .flatMap(\.statedNumbers)
        #expect(percents.contains { (70..<80).contains($0) }, "\(percents)")
        #expect(percents.contains { run.result.states("\($0)") })
        let quiet = Command.undertext(
            "extract", "-q", "--ocr", "en", "--tracks", "8", "-o", folder / "quiet", movie)
        #expect(quiet.stderr.isEmpty)
        // It is no loss of input; that one cue alone is forced, TTML can say.
        let strict = Command.undertext(
            "extract", "--strict", "--ocr", "en", "--tracks", "8", "--format", "ttml", "-o",
            folder / "strict", movie)
        #expect(strict.status == 0)
    }

    /// Said before anything is written, with the package that helps.
    @Test(.requiresRecognition) func missingContent() {
        let language = Command.undertext(
            "extract", "--ocr", "frm", "-o", folder / "none", movie)
        #expect(
            language.status == 1 && language.states("apt-get install tesseract-ocr-frm"))
        // A library of that name that is not one precedes the real one.
        #expect(run("mkdir", ["-p", folder / "lib"]).status == 0)
        #expect(writeFile([], to: folder / "lib/libtesseract.so.5"))
        let library = run(
            Command.path, ["extract", "--ocr", "en", "-o", folder / "none", movie],
            environment: ["LD_LIBRARY_PATH": folder / "lib"])
        #expect(library.status == 1 && library.states("apt-get install libtesseract5"))
        #expect(!exists(folder / "none"))
    }

    @Test func usage() {
        for arguments in [
            ["--ocr", "xx"], ["--ocr", ""], ["--ocr", "en", "--format", "sup"],
            ["--ocr", "en", "--format", "native"], ["--ocr", "en", "--format", "vobsub"],
        ] {
            let result = Command.undertext(["extract", "-o", folder.path] + arguments + [movie])
            #expect(result.status == 64, "\(arguments)")
        }
    }

    /// Text needs no recognizer, so none is loaded.
    @Test(.requires("readelf")) func textTracksNeedNoTesseract() {
        let result = run(
            Command.path,
            ["extract", "-q", "--ocr", "frm", "--tracks", "2", "-o", folder / "text", movie])
        #expect(result.status == 0, "\(result.stderr)")
        let needed = run("readelf", ["-d", Command.path]).text
        #expect(!needed.contains("libtesseract"))
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test where the command cannot recognize English text.
    static var requiresRecognition: Self {
        .enabled(
            if: RecognitionTests.isAvailable,
            "recognition is unavailable: built without it, or no Tesseract with data for English")
    }
}
