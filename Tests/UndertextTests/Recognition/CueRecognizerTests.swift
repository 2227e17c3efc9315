import TestSupport
import Testing
import UndertextCore
import UndertextRecognition

@testable import Undertext

@Suite struct CueRecognizerTests {
    private func recognized(
        _ cues: [Cue], _ pool: RecognitionPool, becomesText: Bool = true
    ) throws -> (cues: [Cue], diagnostics: [Diagnostic]) {
        var recognizer = CueRecognizer(
            pool, becomesText: becomesText, canvas: RecognitionSample.canvas,
            diagnostics: DiagnosticSink())
        var found: [Cue] = []
        for cue in cues { found += try recognizer.add(cue) }
        found += try recognizer.finish()
        return (found, recognizer.diagnostics.take())
    }

    @Test(.requiresRecognition("en")) func textAndConfidence() throws {
        let options = try RecognitionSample.options("en")
        let pool = try RecognitionPool(options, cancellation: nil)
        let cues = try RecognitionSample.cues()
        let texts = try recognized(cues, pool).cues
        #expect(texts.count == cues.count)
        // The sample's letters are coarse, so small and capital S look the same.
        let lines = texts.first?.plainText?.lowercased()
        #expect(lines == "the lighthouse has been dark\nsince the storm.")
        #expect(texts.map(\.start) == cues.map(\.start) && texts.map(\.end) == cues.map(\.end))
        for cue in texts {
            let confidence = try #require(cue.recognition).confidence
            #expect((0.5...1).contains(confidence))
        }
        // The same, with the images kept.
        let images = try recognized(cues, pool, becomesText: false).cues
        #expect(images.map(\.content) == cues.map(\.content))
        #expect(images.map { $0.recognition?.text } == texts.map(\.plainText))
    }

    /// Cues and tracks share what was read.
    @Test(.requiresRecognition("en")) func equalImagesAreReadOnce() throws {
        let options = try RecognitionSample.options("en")
        let pool = try RecognitionPool(options, cancellation: nil)
        let cues = try RecognitionSample.cues()
        let different = Set(
            cues.flatMap { cue -> [IndexedBitmap] in
                guard case .images(let content) = cue.content else { return [] }
                return content.images.map(\.bitmap)
            })
        #expect(different.count > 3)
        for _ in 0..<3 { _ = try recognized(cues + cues, pool) }
        #expect(pool.readings == different.count)
    }

    @Test(.requiresRecognition("en"), arguments: [1, 2, 5])
    func cuesKeepTheirOrder(_ threads: Int) throws {
        var options = try RecognitionSample.options("en")
        options.threads = threads
        let pool = try RecognitionPool(options, cancellation: nil)
        let originals = try RecognitionSample.cues()
        var cues: [Cue] = []
        for order in 0..<200 {
            var cue = originals[order * order % originals.count]
            cue.order = order
            cue.identifier = "\(order)"
            cues.append(cue)
        }
        let found = try recognized(cues, pool).cues
        #expect(found.map(\.identifier) == cues.map(\.identifier))
        // Each has its own text.
        let single = try recognized(originals, pool).cues.map(\.plainText)
        #expect(
            found.map(\.plainText)
                == cues.indices.map { single[$0 * $0 % originals.count] })
    }

    @Test(.requiresRecognition("en")) func aRunThatIsStoppedEnds() throws {
        let options = try RecognitionSample.options("en")
        let cancellation = Cancellation()
        let pool = try RecognitionPool(options, cancellation: cancellation)
        cancellation.cancel()
        let error = #expect(throws: UndertextError.self) {
            try recognized(try RecognitionSample.cues(), pool)
        }
        #expect(error?.code == .cancelled)
    }

    /// An image without text leaves no empty cue, and does not go unsaid.
    @Test(.requiresRecognition("en")) func imagesWithoutText() throws {
        let options = try RecognitionSample.options("en")
        let pool = try RecognitionPool(options, cancellation: nil)
        let bitmap = try #require(
            IndexedBitmap(
                width: 40, height: 20, indices: [UInt8](repeating: 0, count: 800),
                palette: [.clear, .white]))
        let cue = Cue(
            start: .zero, end: Timestamp(nanoseconds: 1_000_000_000),
            content: .images(
                CueImages(
                    canvas: RecognitionSample.canvas,
                    images: [PlacedBitmap(x: 0, y: 0, bitmap: bitmap)])))
        let (text, warnings) = try recognized([cue], pool)
        #expect(text.isEmpty)
        #expect(warnings.map(\.code) == ["no-text"] && warnings[0].severity == .warning)
        let (kept, notes) = try recognized([cue], pool, becomesText: false)
        #expect(kept.map { $0.recognition?.text } == [""])
        #expect(notes.map(\.severity) == [.info])
    }

    @Test(.requiresRecognition("en")) func missingLanguage() throws {
        // Data for Middle French and Tibetan are installed only on request.
        let options = RecognitionOptions(
            languages: try RecognitionLanguage.list(parsing: "en+frm+bo"))
        var quiet = options
        quiet.silencesLog = true
        let error = #expect(throws: UndertextError.self) {
            try RecognitionPool(quiet, cancellation: nil)
        }
        #expect(error?.code == .missingLanguage)
        #expect(
            error?.message.states("apt-get install tesseract-ocr-frm tesseract-ocr-bod") == true)
    }

    @Test(arguments: [
        (10, 20, 700, 40, CueLayout.line(0)), (10, 500, 700, 40, CueLayout()),
        (10, 268, 700, 40, CueLayout.middle), (20, 500, 200, 40, CueLayout.aligned(.left)),
        (500, 500, 200, 40, CueLayout.aligned(.right)),
    ])
    func places(_ x: Int, _ y: Int, _ width: Int, _ height: Int, _ layout: CueLayout) throws {
        let bitmap = try #require(
            IndexedBitmap(
                width: width, height: height,
                indices: [UInt8](repeating: 0, count: width * height), palette: [.white]))
        let content = CueImages(
            canvas: nil, images: [PlacedBitmap(x: x, y: y, bitmap: bitmap)])
        #expect(CueLayout(content, canvas: RecognitionSample.canvas) == layout)
    }

    @Test func imagesAtBothEndsStayBelow() throws {
        let bitmap = try #require(
            IndexedBitmap(
                width: 600, height: 1, indices: [UInt8](repeating: 0, count: 600),
                palette: [.white]))
        let content = CueImages(
            canvas: nil,
            images: [0, 500].map { PlacedBitmap(x: 60, y: $0, bitmap: bitmap) })
        #expect(CueLayout(content, canvas: RecognitionSample.canvas).isDefault)
    }
}

extension CueLayout {
    fileprivate static func line(_ line: Double) -> CueLayout {
        var layout = CueLayout()
        layout.line = line
        return layout
    }

    fileprivate static let middle: CueLayout = {
        var layout = CueLayout.line(50)
        layout.snapToLines = false
        layout.lineAlignment = .center
        return layout
    }()

    fileprivate static func aligned(_ alignment: TextAlignment) -> CueLayout {
        var layout = CueLayout()
        layout.textAlignment = alignment
        return layout
    }
}
