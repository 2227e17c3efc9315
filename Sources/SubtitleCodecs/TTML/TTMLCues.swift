internal import CueModel
internal import MediaCore

/// The cues of one document, times on the document's clock.
struct TTMLCues {
    /// A cue, and the part of it that the decoder decides on.
    struct Entry {
        var cue: Cue
        /// `nil` where nothing ends it.
        var end: Timestamp?
    }

    /// By start; those of one start in the order of the document.
    private(set) var entries: [Entry] = []
    /// The last time at which something begins or ends.
    private(set) var documentEnd = Timestamp.zero
    private(set) var notes: TTMLNotes
    private let tree: TTMLTree
    private var painter: TTMLPainter

    /// Makes the cues of a document.
    ///
    /// - Parameters:
    ///   - tree: the document.
    ///   - part: only what is on screen in this part of its clock; `nil` = everything.
    ///   - pictures: decodes and places pictures.
    ///   - limits: how many cues there may be.
    ///   - notes: what was noted of the document so far.
    init(
        _ tree: TTMLTree, part: Range<TTMLTime>?, pictures: TTMLPainter, limits: Limits,
        notes: TTMLNotes
    ) {
        self.tree = tree
        painter = pictures
        TTMLTiming.resolve(tree)
        let found = TTMLItems(tree, notes: notes)
        self.notes = found.notes
        var segmenter = TTMLSegmenter(tree)
        var parts: [(segment: TTMLSegment, item: Int, isFirst: Bool)] = []
        var latest: TTMLTime = 0
        for (index, item) in found.items.enumerated() {
            guard parts.count < limits.cues else {
                self.notes.add(
                    .error, "too-many-cues", "more than \(limits.cues) cues; the rest is left out")
                break
            }
            if let part, !item.active.overlaps(part) { continue }
            var isFirst = true
            for segment in segmenter.segments(of: item) {
                latest = max(latest, segment.start)
                if segment.end != .indefinite { latest = max(latest, segment.end) }
                // At the end of all times nothing can have a length.
                guard segment.composition.isVisible, segment.start < .latest - 1_000_000_000 else {
                    continue
                }
                parts.append((segment, index, isFirst))
                isFirst = false
            }
        }
        documentEnd = Timestamp(nanoseconds: latest)
        if segmenter.isExhausted {
            self.notes.add(
                .error, "too-complex",
                "so much changes at so many times that some texts are shown unchanged")
        }
        // Sorting must keep the order of the document.
        let order = parts.indices.sorted {
            (parts[$0].segment.start, $0) < (parts[$1].segment.start, $1)
        }
        for place in order {
            let (segment, item, isFirst) = parts[place]
            add(segment, of: found.items[item].element, isFirst: isFirst)
        }
    }

    private mutating func add(_ segment: TTMLSegment, of element: TTMLElement, isFirst: Bool) {
        let composition = segment.composition
        let start = Timestamp(nanoseconds: segment.start)
        let content: CueContent
        if let address = composition.picture {
            guard let pictures = painter.pictures(address, composition, at: start, notes: &notes)
            else { return }
            content = .pictures(pictures)
        } else {
            content = .text(composition.text)
        }
        let cue = Cue(
            // Parts of one paragraph must not have one name.
            id: isFirst && element.id.utf8.first != 1 ? element.id : "",
            start: start, end: start, isForced: composition.isForced,
            layout: composition.layout, content: content)
        let end = segment.end == .indefinite ? nil : Timestamp(nanoseconds: segment.end)
        entries.append(Entry(cue: cue, end: end))
    }
}

/// Decodes and places the pictures of a document.
struct TTMLPainter {
    private let source: TTMLPictureSource
    private let root: TTMLRoot
    private let limits: Limits
    private let decode: TTMLDecoder.PictureDecoder?
    /// What was decoded last: a picture is often shown several times.
    private var last: (address: String, x: Int, y: Int, picture: PlacedBitmap)?

    init(
        _ tree: TTMLTree, files: [String: [UInt8]], limits: Limits,
        decode: TTMLDecoder.PictureDecoder?
    ) {
        source = TTMLPictureSource(tree, files: files)
        root = tree.parameters.root
        self.limits = limits
        self.decode = decode
    }

    /// A picture in the middle of its region; `nil`, with a note, where it cannot be shown.
    ///
    /// SMPTE ST 2052-1, section 5.5.2: a background picture is neither scaled nor cut, and centred.
    mutating func pictures(
        _ address: String, _ composition: TTMLComposition, at time: Timestamp,
        notes: inout TTMLNotes
    ) -> CuePictures? {
        guard let decode else {
            notes.add(.error, "missing-picture", "pictures cannot be decoded here", time: time)
            return nil
        }
        let canvas = root.size ?? TTMLRoot.assumedSize
        do throws(TTMLPictureSource.Missing) {
            let bytes = try source.bytes(of: address)
            guard let size = TTMLPNGHeader.size(of: bytes), size.width <= limits.canvas,
                size.height <= limits.canvas
            else {
                throw .init(
                    code: "malformed-picture",
                    message: "'\(address.prefix(60))' is no PNG, or one that is too large")
            }
            let box = composition.box
            func place(_ from: Double, _ to: Double, _ whole: Int, _ length: Int) -> Int {
                let middle = (from + to) / 200 * Double(whole)
                return Int(min(max(middle - Double(length) / 2, -65536), 65536).rounded())
            }
            let x = place(box.left, box.right, canvas.width, size.width)
            let y = place(box.top, box.bottom, canvas.height, size.height)
            if let last, last.address == address, last.x == x, last.y == y {
                return CuePictures(canvas: canvas, pictures: [last.picture])
            }
            switch decode(bytes, x, y) {
            case .failed(let reason):
                throw .init(
                    code: "malformed-picture", message: "'\(address.prefix(60))': \(reason)")
            case .decoded(let picture, let isExact):
                if !isExact {
                    notes.add(
                        .warning, "colours-reduced",
                        "'\(address.prefix(60))': more than 256 colours were reduced to 256",
                        time: time)
                }
                last = (address, x, y, picture)
                return CuePictures(canvas: canvas, pictures: [picture])
            }
        } catch {
            notes.add(.error, error.code, error.message, time: time)
            return nil
        }
    }
}
