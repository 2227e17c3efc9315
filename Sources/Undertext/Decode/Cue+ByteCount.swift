internal import UndertextCore

extension Cue {
    /// About how many bytes it holds in memory.
    var byteCount: Int {
        var count = 128
        switch content {
        case .text(let text):
            if let plain = text.unstyled {
                count += plain.utf8.count
            } else {
                for run in text.runs { count += 128 + run.text.utf8.count }
            }
        case .images(let content):
            for image in content.images {
                count += 64 + image.bitmap.indices.count + 4 * image.bitmap.palette.count
            }
        }
        return count + extrasByteCount
    }
}

extension DecodedCue {
    /// About how many bytes it holds in memory if it shows text; images are bounded where they are decoded.
    var textByteCount: Int {
        if case .text = content { cue().byteCount } else { 0 }
    }
}
