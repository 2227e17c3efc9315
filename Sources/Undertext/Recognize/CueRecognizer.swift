package import UndertextCore

/// Recognizes the text in the images of one track's cues, several cues at a time; cues are returned in their
/// original order.
struct CueRecognizer {
    /// Cues that wait for an earlier one; each holds its pixels.
    private static let waitingAtMost = 64

    private let pool: RecognitionPool
    private let becomesText: Bool
    private let canvas: PixelSize
    private var waiting = FirstInFirstOut<(cue: Cue, readings: [RecognitionPool.Reading])>()
    let diagnostics: DiagnosticSink

    /// - Parameters:
    ///   - pool: the recognizers.
    ///   - becomesText: `true` if cues become text; otherwise they stay images and get the text, too.
    ///   - canvas: the canvas of cues that state none.
    ///   - diagnostics: the sink for problems of returned cues.
    init(
        _ pool: RecognitionPool, becomesText: Bool, canvas: PixelSize, diagnostics: DiagnosticSink
    ) {
        self.diagnostics = diagnostics
        self.pool = pool
        self.becomesText = becomesText
        self.canvas = canvas
    }

    /// Adds a cue; returns the recognized cues that are due.
    mutating func add(_ cue: Cue) throws(UndertextError) -> [Cue] {
        var readings: [RecognitionPool.Reading] = []
        if case .images(let content) = cue.content {
            for image in content.images.sorted(by: { ($0.y, $0.x) < ($1.y, $1.x) }) {
                readings.append(pool.reading(of: image.bitmap))
            }
        }
        waiting.append((cue, readings))
        var finished: [Cue] = []
        if waiting.count >= Self.waitingAtMost { pool.finish() }
        while let first = waiting.first, first.readings.allSatisfy({ $0.answer != nil }) {
            if let cue = try next() { finished.append(cue) }
        }
        return finished
    }

    /// The rest.
    mutating func finish() throws(UndertextError) -> [Cue] {
        pool.finish()
        var finished: [Cue] = []
        while !waiting.isEmpty {
            if let cue = try next() { finished.append(cue) }
        }
        return finished
    }

    private mutating func next() throws(UndertextError) -> Cue? {
        guard let (original, readings) = waiting.popFirst() else { return nil }
        guard case .images(let content) = original.content else { return original }
        var parts: [RecognizedText] = []
        for reading in readings {
            guard let answer = reading.answer else { continue }
            parts.append(try answer.get())
        }
        let text = RecognizedText(joining: parts)
        var cue = original
        cue.recognition = text
        note(text, of: cue)
        guard becomesText else { return cue }
        guard !text.text.isEmpty else { return nil }
        cue.layout = CueLayout(content, canvas: content.canvas ?? canvas)
        cue.content = .text(StyledText(text.text))
        return cue
    }

    private func note(_ text: RecognizedText, of cue: Cue) {
        if text.text.isEmpty {
            diagnostics.report(
                becomesText ? .warning : .info, "no-text",
                becomesText
                    ? "no text was recognized; the cue is left out" : "no text was recognized",
                time: cue.start)
        } else if text.confidence < RecognitionOptions.lowConfidence {
            let percent = Int((text.confidence * 100).rounded())
            let lines = text.text.split(separator: "\n").joined(separator: " / ")
            diagnostics.report(
                .info, "low-confidence", "recognized with \(percent) % confidence: \(lines)",
                time: cue.start)
        }
    }
}

extension CueLayout {
    /// The position of text that replaces images: one of nine, by thirds of the canvas.
    ///
    /// For images at several positions it is the usual position of subtitles.
    init(_ content: CueImages, canvas: PixelSize) {
        self.init(
            content.images.map {
                Box(x: $0.x, y: $0.y, width: $0.bitmap.width, height: $0.bitmap.height)
            }, canvas: canvas)
    }

    /// The position and the size of an image on the canvas.
    package struct Box {
        let x: Int
        let y: Int
        let width: Int
        let height: Int

        /// Creates a box.
        package init(x: Int, y: Int, width: Int, height: Int) {
            self.x = x
            self.y = y
            self.width = width
            self.height = height
        }
    }

    /// The position of text that replaces images in boxes.
    package init(_ boxes: [Box], canvas: PixelSize) {
        self.init()
        let places = Set(boxes.map { Self.row(of: $0, canvas) })
        if places.count == 1, let row = places.first {
            switch row {
            case 0: line = 0
            case 1:
                snapToLines = false
                line = 50
                lineAlignment = .center
            default: break
            }
        }
        // Far at one side, and not only because it is short: nothing of it crosses the middle.
        let middle = canvas.width / 2
        if boxes.allSatisfy({ $0.x + $0.width <= middle }) {
            textAlignment = .left
        } else if boxes.allSatisfy({ $0.x >= middle }) {
            textAlignment = .right
        }
    }

    /// 0 top, 1 middle, 2 bottom.
    private static func row(of box: Box, _ canvas: PixelSize) -> Int {
        let center = 2 * box.y + box.height
        guard canvas.height > 0 else { return 2 }
        return max(0, min(2, center * 3 / (2 * canvas.height)))
    }
}
