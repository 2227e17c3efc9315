internal import Synchronization

/// The pixels that the images of one track may cost, decoded and encoded together.
///
/// A few bytes can state an image of 8192 × 8192 pixels, again and again. The decoder of a track and the
/// encoders of its outputs share one budget: each pixel that one of them draws, cuts out, scales or
/// compresses is spent here first. Every byte of input adds to the budget
/// (``Limits/bitmapPixelsPerByte``), so that work grows no faster than the input. Once something did
/// not fit, nothing more is granted.
package final class PixelBudget: Sendable {
    private let allowed: Atomic<Int>
    private let used = Atomic<Int>(0)
    private let hasRunOut = Atomic<Bool>(false)
    private let wasReported = Atomic<Bool>(false)
    private let perByte: Int

    /// Creates a budget of ``Limits/bitmapPixels``.
    package init(limits: Limits = Limits()) {
        allowed = Atomic(max(0, limits.bitmapPixels))
        perByte = max(0, limits.bitmapPixelsPerByte)
    }

    /// The pixels spent so far.
    package var spent: Int { used.load(ordering: .relaxed) }

    /// A Boolean value that indicates whether something did not fit.
    package var isExhausted: Bool { hasRunOut.load(ordering: .relaxed) }

    /// Adds what `bytes` of input allow.
    package func add(bytes: Int) {
        let (more, overflow) = max(0, bytes).multipliedReportingOverflow(by: perByte)
        let known = allowed.load(ordering: .relaxed)
        let (sum, isTooLarge) = known.addingReportingOverflow(more)
        allowed.store(overflow || isTooLarge ? .max : sum, ordering: .relaxed)
    }

    /// Spends pixels.
    ///
    /// - Returns: `false` if they do not fit, or something before them did not.
    package func spend(_ pixels: Int) -> Bool {
        guard !isExhausted else { return false }
        let known = used.load(ordering: .relaxed)
        let (sum, overflow) = known.addingReportingOverflow(max(0, pixels))
        guard !overflow, sum <= allowed.load(ordering: .relaxed) else {
            hasRunOut.store(true, ordering: .relaxed)
            return false
        }
        used.store(sum, ordering: .relaxed)
        return true
    }

    /// Spends the pixels of an area; the sizes may be any numbers.
    package func spend(width: Int, height: Int) -> Bool {
        let (area, overflow) = max(0, width).multipliedReportingOverflow(by: max(0, height))
        return spend(overflow ? .max : area)
    }

    /// The report that the budget has run out: once, and `nil` otherwise.
    package func takeDiagnostic(time: Timestamp? = nil) -> Diagnostic? {
        guard isExhausted, !wasReported.exchange(true, ordering: .relaxed) else { return nil }
        let limit = allowed.load(ordering: .relaxed)
        return Diagnostic(
            .error, "pixel-limit",
            "the images of this track take more than the \(limit) pixels that a track of its size may "
                + "cost to decode and encode; the rest is left out", time: time)
    }
}
