package import UndertextCore
internal import UndertextFormats

/// A cue as checks see it: its place in the file, its text, or the measures of its images without their pixels.
package struct CheckedCue: Hashable, Sendable {
    /// The measures of the images of a cue.
    package struct Images: Hashable, Sendable {
        /// The edges of the visible pixels in percent of the canvas; `nil` without a canvas or without visible pixels.
        package var edges: Edges?
        /// `true` if at least one pixel is visible.
        package var isVisible: Bool
        /// The number of colors of the image with the most.
        package var colorCount: Int
    }

    /// The number of the cue in the file, from 1.
    package var number: Int
    /// The cue; its images are left out.
    package var cue: Cue
    /// The measures of its images; `nil` for text.
    package var images: Images?
    /// The line of the file in which its text begins, from 1, or `nil` if unknown.
    package var line: Int?
    /// `true` if each line of its text is a line of the file.
    package var hasFileLines = false
    /// The byte offset of the packet that holds it, or `nil` if unknown.
    package var offset: UInt64?

    /// Creates a cue, of whose images only the measures are kept.
    ///
    /// - Parameters:
    ///   - cue: The cue.
    ///   - canvas: The canvas of the track, for images that state none.
    ///   - line: The line in which its text begins.
    ///   - hasFileLines: `true` if a line of text is a line of the file, unless tags break lines.
    ///   - offset: The byte offset of its packet.
    package init(
        _ cue: Cue, canvas: PixelSize? = nil, line: Int? = nil, hasFileLines: Bool = false,
        offset: UInt64? = nil
    ) {
        number = cue.order + 1
        self.cue = cue
        self.line = line
        self.offset = offset
        if hasFileLines, let text = cue.plainText {
            self.hasFileLines =
                cue.source.map { $0.text.count(where: \.isNewline) }
                == text.count(where: \.isNewline) || cue.source == nil
        }
        guard case .images(let content) = cue.content else { return }
        images = Images(content, canvas: content.canvas ?? canvas)
        self.cue.content = .text(StyledText())
    }

    /// The text without markup, or `nil` for images.
    package var text: String? { images == nil ? cue.plainText : nil }

    /// `true` if the cue shows nothing.
    package var isEmpty: Bool {
        if let images { return !images.isVisible }
        guard TextMeasure.isBlank(cue.plainText ?? "") else { return false }
        // Of a drawing in a script only the stored form is left.
        guard case .ass(let event) = cue.source else { return true }
        return !Self.hasDrawing(event)
    }

    /// A Boolean value that indicates whether an event of a script has more than tags and white space.
    private static func hasDrawing(_ event: String) -> Bool {
        let fields = event.split(separator: ",", maxSplits: 8, omittingEmptySubsequences: false)
        guard fields.count == 9 else { return false }
        var isTag = false
        for character in fields[8] {
            switch character {
            case "{": isTag = true
            case "}": isTag = false
            default: if !isTag, character.isNumber { return true }
            }
        }
        return false
    }

    /// The duration in milliseconds, to the nearest nanosecond; negative if the cue ends before it starts.
    var milliseconds: Double { Self.milliseconds(from: cue.start, to: cue.end) }

    /// The time from one timestamp to another in milliseconds.
    static func milliseconds(from start: Timestamp, to end: Timestamp) -> Double {
        Double(Int128(end.nanoseconds) - Int128(start.nanoseconds)) / 1e6
    }
}

/// The edges of a rectangle in percent of the video.
package struct Edges: Hashable, Sendable {
    /// The left edge.
    package var left: Double?
    /// The upper edge.
    package var top: Double?
    /// The right edge.
    package var right: Double?
    /// The lower edge.
    package var bottom: Double?
}

extension CheckedCue.Images {
    init(_ content: CueImages, canvas: PixelSize?) {
        var bounds: (left: Int, top: Int, right: Int, bottom: Int)?
        colorCount = 0
        for image in content.images {
            let bitmap = image.bitmap
            let visible = bitmap.palette.map { $0.alpha > 0 }
            var used = [Bool](repeating: false, count: bitmap.palette.count)
            for row in 0..<bitmap.height {
                var (first, last) = (Int?.none, 0)
                let start = row * bitmap.width
                for column in 0..<bitmap.width {
                    let index = Int(bitmap.indices[start + column])
                    used[index] = true
                    guard visible[index] else { continue }
                    if first == nil { first = column }
                    last = column
                }
                guard let first else { continue }
                let (left, right) = (image.x + first, image.x + last + 1)
                let (top, bottom) = (image.y + row, image.y + row + 1)
                bounds =
                    bounds.map {
                        (
                            min($0.left, left), min($0.top, top), max($0.right, right),
                            max($0.bottom, bottom)
                        )
                    } ?? (left, top, right, bottom)
            }
            // Colors of pixels, not entries of a palette: a format counts what it must store.
            var colors: Set<RGBA> = []
            for (index, isUsed) in used.enumerated() where isUsed {
                colors.insert(bitmap.palette[index])
            }
            colorCount = max(colorCount, colors.count)
        }
        isVisible = bounds != nil
        guard let bounds, let canvas, canvas.width > 0, canvas.height > 0 else { return }
        let (width, height) = (Double(canvas.width) / 100, Double(canvas.height) / 100)
        edges = Edges(
            left: Double(bounds.left) / width, top: Double(bounds.top) / height,
            right: Double(bounds.right) / width, bottom: Double(bounds.bottom) / height)
    }
}

extension CueSource {
    /// The stored text.
    fileprivate var text: String {
        switch self {
        case .webVTT(let text), .ass(let text), .subRip(let text): text
        }
    }
}
