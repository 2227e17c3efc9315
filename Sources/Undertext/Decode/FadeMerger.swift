internal import UndertextCore

/// Merges the steps of a fade into one cue: consecutive images at one position that differ in their palette.
///
/// The cue's image is the most opaque one. Colors may change during the fade, but no color may become more
/// opaque while another becomes less opaque: then other parts of the image are shown, such as alternating
/// words, and it is not a fade.
struct FadeMerger {
    private struct Held {
        var cue: Cue
        /// The latest image of the fade, to which the next one is compared.
        var last: CueImages
        var opacity: Int?
    }

    /// Forced and other images of one track fade apart from each other; more is not needed.
    private static let heldAtMost = 64

    private var held: [Held] = []
    private var nextOrder = 0

    /// Adds a cue, in order of start; returns the cues that no later cue can extend.
    mutating func add(_ cue: Cue) -> [Cue] {
        guard case .images(let images) = cue.content else { return [numbered(cue)] }
        if let index = held.firstIndex(where: { Self.isFade(from: $0, to: cue, images) }) {
            prolong(index, by: cue, images)
            return []
        }
        var finished: [Cue] = []
        while let first = held.first, first.cue.end < cue.start || held.count >= Self.heldAtMost {
            finished.append(numbered(first.cue))
            held.removeFirst()
        }
        held.append(Held(cue: cue, last: images))
        return finished
    }

    /// The cues that are left.
    mutating func finish() -> [Cue] {
        defer { held = [] }
        return held.map { numbered($0.cue) }
    }

    private mutating func numbered(_ cue: Cue) -> Cue {
        defer { nextOrder += 1 }
        var cue = cue
        cue.order = nextOrder
        return cue
    }

    private mutating func prolong(_ index: Int, by cue: Cue, _ images: CueImages) {
        let before = held[index].opacity ?? Self.opacity(held[index].last)
        let now = Self.opacity(images)
        if now > before { held[index].cue.content = cue.content }
        held[index].opacity = max(now, before)
        held[index].last = images
        held[index].cue.end = cue.end
        held[index].cue.endSource = cue.endSource
    }

    private static func isFade(from held: Held, to cue: Cue, _ images: CueImages) -> Bool {
        guard held.cue.end == cue.start, held.cue.isForced == cue.isForced,
            held.cue.layout == cue.layout, held.last.canvas == images.canvas,
            held.last.images.count == images.images.count
        else { return false }
        var comparison = FadeComparison()
        for (one, other) in zip(held.last.images, images.images) {
            guard comparison.hasEqualPixels(one, other) else { return false }
        }
        return true
    }

    /// The sum of all pixels' alpha.
    private static func opacity(_ images: CueImages) -> Int {
        images.images.reduce(0) { sum, image in
            var counts = [Int](repeating: 0, count: 256)
            for index in image.bitmap.indices { counts[Int(index)] += 1 }
            return sum
                + zip(counts, image.bitmap.palette).reduce(0) { $0 + $1.0 * Int($1.1.alpha) }
        }
    }
}

/// Checks whether images have the same pixels and fade in one direction.
private struct FadeComparison {
    private var rises = false
    private var falls = false

    /// `true` if the indices are equal where the images overlap, and one contains the other.
    ///
    /// Full frames are cropped to the visible part, which is smaller in the palest images of a fade.
    mutating func hasEqualPixels(_ one: PlacedBitmap, _ other: PlacedBitmap) -> Bool {
        for (before, after) in zip(one.bitmap.palette, other.bitmap.palette) {
            rises = rises || after.alpha > before.alpha
            falls = falls || after.alpha < before.alpha
        }
        guard !(rises && falls) else { return false }
        let (first, second) = (one.bitmap, other.bitmap)
        if one.x == other.x, one.y == other.y, first.width == second.width {
            return first.height == second.height && first.indices == second.indices
        }
        let oneIsLarger = first.width * first.height > second.width * second.height
        return oneIsLarger ? Self.contains(one, other) : Self.contains(other, one)
    }

    private static func contains(_ outer: PlacedBitmap, _ inner: PlacedBitmap) -> Bool {
        let (x, y) = (inner.x - outer.x, inner.y - outer.y)
        guard x >= 0, y >= 0, x + inner.bitmap.width <= outer.bitmap.width,
            y + inner.bitmap.height <= outer.bitmap.height
        else { return false }
        return (0..<inner.bitmap.height).allSatisfy { row in
            let inside = row * inner.bitmap.width
            let outside = (row + y) * outer.bitmap.width + x
            return inner.bitmap.indices[inside..<inside + inner.bitmap.width]
                .elementsEqual(outer.bitmap.indices[outside..<outside + inner.bitmap.width])
        }
    }
}
