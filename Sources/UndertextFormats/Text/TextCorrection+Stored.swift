package import UndertextCore

/// A part of a stored text that is shown; everything between such parts is tags.
struct ShownPiece: Hashable {
    /// The stored bytes.
    var stored: Range<Int>
    /// The shown bytes that an escape or a reference stands for; `nil` if the stored bytes are shown.
    var meaning: [UInt8]?

    /// The number of shown bytes.
    var count: Int { meaning?.count ?? stored.count }
}

extension [ShownPiece] {
    /// Adds bytes that are shown as they are stored.
    mutating func append(literal range: Range<Int>) {
        guard !range.isEmpty else { return }
        if let last, last.meaning == nil, last.stored.upperBound == range.lowerBound {
            self[count - 1].stored = last.stored.lowerBound..<range.upperBound
        } else {
            append(ShownPiece(stored: range))
        }
    }

    /// Adds an escape or a reference.
    mutating func append(_ range: Range<Int>, meaning: [UInt8]) {
        append(ShownPiece(stored: range, meaning: meaning))
    }

    /// The shown text.
    func shown(of stored: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        for piece in self { text += piece.meaning ?? [UInt8](stored[piece.stored]) }
        return text
    }
}

extension TextCorrection {
    /// Returns a stored form of the old text with the replacements between its tags.
    ///
    /// - Returns: The stored form, or `nil` if it does not show the old text, or would not show the new one.
    package func applied(to source: CueSource) -> CueSource? {
        switch source {
        case .subRip(let text):
            applied(to: Array(text.utf8), pieces: SubRipShownText.pieces) { Array($0.utf8) }
                .map { .subRip(String(decoding: $0, as: UTF8.self)) }
        case .webVTT(let text):
            applied(
                to: Array(text.utf8), pieces: WebVTTShownText.pieces,
                encoded: WebVTTShownText.escaped
            ).map { .webVTT(String(decoding: $0, as: UTF8.self)) }
        case .ass(let event):
            applied(
                to: Array(event.utf8), pieces: { ASSShownText.pieces(of: $0, showing: $1) },
                encoded: ASSShownText.escaped
            ).map { .ass(String(decoding: $0, as: UTF8.self)) }
        }
    }

    private func applied(
        to stored: [UInt8], pieces: (_ stored: [UInt8], _ shown: [UInt8]) -> [ShownPiece],
        encoded: (String) -> [UInt8]
    ) -> [UInt8]? {
        let parts = pieces(stored, Array(old.utf8))
        guard parts.shown(of: stored).elementsEqual(old.utf8),
            let result = replaced(in: stored, parts, encoded)
        else { return nil }
        let wanted = Array(new.utf8)
        return pieces(result, wanted).shown(of: result) == wanted ? result : nil
    }

    private func replaced(
        in stored: [UInt8], _ parts: [ShownPiece], _ encoded: (String) -> [UInt8]
    ) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(stored.count + new.utf8.count)
        // The ends of what was copied of the stored bytes, and of the shown ones.
        var (copied, position) = (0, 0)
        var next = 0
        for piece in parts {
            result += stored[copied..<piece.stored.lowerBound]
            copied = piece.stored.upperBound
            let (start, end) = (position, position + piece.count)
            while true {
                let replacement = next < replacements.count ? replacements[next] : nil
                if let replacement, replacement.range.isEmpty,
                    replacement.range.lowerBound == position, position > start || position == 0
                {
                    result += encoded(replacement.text)
                    next += 1
                    continue
                }
                guard position < end else { break }
                var stop = end
                var isKept = true
                if let replacement, replacement.range.lowerBound <= position {
                    // An insertion that belongs to an earlier piece has been made there.
                    guard !replacement.range.isEmpty else { return nil }
                    if replacement.range.lowerBound == position {
                        result += encoded(replacement.text)
                    }
                    stop = min(end, replacement.range.upperBound)
                    isKept = false
                    if stop == replacement.range.upperBound { next += 1 }
                } else if let replacement {
                    stop = min(end, replacement.range.lowerBound)
                }
                // A reference is kept or removed as a whole.
                if piece.meaning != nil, position != start || stop != end { return nil }
                if isKept {
                    let offset = piece.stored.lowerBound - start
                    result +=
                        piece.meaning == nil
                        ? stored[position + offset..<stop + offset] : stored[piece.stored]
                }
                position = stop
            }
        }
        result += stored[copied...]
        return next == replacements.count ? result : nil
    }
}
