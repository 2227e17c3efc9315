#if Rendering
    internal import CUndertextAss

    extension AssRenderer {
        /// Returns those of the given characters for which no font has a glyph.
        ///
        /// Each character is drawn once, transparent and a pixel high, in a separate script, and libass reports
        /// those that it cannot find. `lead` is the beginning of an event with their font.
        func missing(
            _ letters: Set<Unicode.Scalar>, lead: [UInt8]
        ) -> Set<Unicode.Scalar> {
            guard let track = unsafe probingTrack() else { return [] }
            var text = lead
            for letter in letters.sorted() { text += UTF8.encode(letter) ?? .init() }
            unsafe text.withUnsafeMutableBytes { bytes in
                unsafe loaded.functions.pointee.ass_process_chunk(
                    track, bytes.bindMemory(to: CChar.self).baseAddress,
                    Int32(clamping: bytes.count), 0, 2)
            }
            let absent = messages.missingGlyphs {
                unsafe _ = loaded.functions.pointee.ass_render_frame(renderer, track, 1, nil)
            }
            unsafe loaded.functions.pointee.ass_flush_events(track)
            forgetFrame()
            return absent
        }
    }
#endif
