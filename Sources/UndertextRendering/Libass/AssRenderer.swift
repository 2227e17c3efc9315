#if Rendering
    internal import CUndertextAss
    internal import UndertextCore
    internal import UndertextFormats

    /// A libass instance with one script: it converts events to coverage masks.
    ///
    /// C: `ASS_Library`, `ASS_Renderer`, `ASS_Track`. Use it on one thread at a time.
    @safe
    final class AssRenderer {
        let loaded: AssLibrary
        private let library: OpaquePointer
        let renderer: OpaquePointer
        private let track: UnsafeMutablePointer<ASS_Track>
        private let script: [UInt8]
        private let breaksAnywhere: Bool
        /// A second copy of the script, for measurements.
        private var probe: UnsafeMutablePointer<ASS_Track>?
        let messages = AssMessages()
        /// The images of the last frame; libass's until the next one.
        private var images: UnsafeMutablePointer<ASS_Image>?
        /// Number of events that libass holds.
        private(set) var eventCount = 0
        /// The fonts used so far; libass keeps all of them open.
        var faces: Set<FontFace> = []
        /// `true` if libass cannot detect changes since the previous frame.
        private var hasForgotten = false

        /// Creates an instance.
        ///
        /// - Parameters:
        ///   - script: The script up to its events.
        ///   - fonts: The fonts attached to the script.
        ///   - geometry: The sizes to draw for.
        ///   - storage: The size in pixels, which may not be square, for which the script was made: that of the
        ///     video for a script of the video.
        ///   - breaksAnywhere: `true` to break lines where Unicode allows it, not only at spaces, and to keep
        ///     brackets together in bidirectional lines, which authors of scripts do not expect.
        /// - Throws: An error if the library is missing or there is not enough memory.
        init(
            script: [UInt8], fonts: [AttachedFont], geometry: OverlayGeometry,
            storage: PixelSize, breaksAnywhere: Bool
        ) throws(UndertextError) {
            loaded = try AssLibrary.load()
            self.script = script
            self.breaksAnywhere = breaksAnywhere
            let functions = unsafe loaded.functions
            guard let library = unsafe functions.pointee.ass_library_init() else {
                throw UndertextError(.io, "libass gives no library handle")
            }
            unsafe messages.listen(to: library, functions)
            for font in fonts where font.bytes.count <= Int(Int32.max) {
                unsafe font.bytes.withUnsafeBytes { bytes in
                    let start = unsafe bytes.bindMemory(to: CChar.self).baseAddress
                    unsafe functions.pointee.ass_add_font(
                        library, font.name, start, Int32(bytes.count))
                }
            }
            unsafe functions.pointee.ass_set_extract_fonts(library, 1)
            guard let renderer = unsafe functions.pointee.ass_renderer_init(library) else {
                unsafe functions.pointee.ass_library_done(library)
                throw UndertextError(.io, "libass gives no renderer")
            }
            guard let track = unsafe functions.pointee.ass_new_track(library) else {
                unsafe functions.pointee.ass_renderer_done(renderer)
                unsafe functions.pointee.ass_library_done(library)
                throw UndertextError(.io, "libass gives no track")
            }
            unsafe self.library = library
            unsafe self.renderer = renderer
            unsafe self.track = unsafe track
            // 0 glyphs: the default; 64 MB of images.
            unsafe functions.pointee.ass_set_cache_limits(renderer, 0, 64)
            // Fonts by fontconfig, as the user set it up.
            unsafe functions.pointee.ass_set_fonts(
                renderer, nil, "sans-serif", Int32(ASS_FONTPROVIDER_AUTODETECT.rawValue), nil, 1)
            unsafe prepare(track)
            unsafe functions.pointee.ass_set_storage_size(
                renderer, Int32(storage.width), Int32(storage.height))
            unsafe functions.pointee.ass_set_frame_size(
                renderer, Int32(geometry.output.width), Int32(geometry.output.height))
            let image = geometry.image
            unsafe functions.pointee.ass_set_margins(
                renderer, Int32(image.y),
                Int32(geometry.output.height - image.y - image.height), Int32(image.x),
                Int32(geometry.output.width - image.x - image.width))
        }

        deinit {
            let functions = unsafe loaded.functions
            unsafe functions.pointee.ass_free_track(track)
            if let probe = unsafe probe { unsafe functions.pointee.ass_free_track(probe) }
            unsafe functions.pointee.ass_renderer_done(renderer)
            unsafe functions.pointee.ass_library_done(library)
        }

        /// Sets the script of a track.
        ///
        /// All tracks of a renderer have the same features: libass 0.17.1 allocates room for brackets
        /// only where the first track that is as long needs it, and crashes with the next one.
        private func prepare(_ track: UnsafeMutablePointer<ASS_Track>) {
            let functions = unsafe loaded.functions
            // Events are numbered by us, and none is given twice.
            unsafe functions.pointee.ass_set_check_readorder(track, 0)
            var script = script
            unsafe script.withUnsafeMutableBytes { bytes in
                unsafe functions.pointee.ass_process_codec_private(
                    track, bytes.bindMemory(to: CChar.self).baseAddress,
                    Int32(clamping: bytes.count))
            }
            guard breaksAnywhere else { return }
            let wrapping = ASS_Feature(rawValue: UInt32(cass_feature_wrap_unicode))
            for feature in [ASS_FEATURE_BIDI_BRACKETS, wrapping] {
                unsafe _ = functions.pointee.ass_track_set_feature(track, feature, 1)
            }
        }

        /// Returns the messages of libass since the last call.
        func takeDiagnostics() -> [Diagnostic] { messages.take() }

        /// Adds an event in Matroska's form; times in milliseconds.
        func add(_ event: [UInt8], start: Int64, duration: Int64) {
            // libass takes the bytes for a string of C, which a NUL would end.
            var bytes = event
            eventCount += 1
            unsafe bytes.withUnsafeMutableBytes { bytes in
                unsafe loaded.functions.pointee.ass_process_chunk(
                    track, bytes.bindMemory(to: CChar.self).baseAddress,
                    Int32(clamping: bytes.count), start, duration)
            }
        }

        /// Forgets all events.
        func removeEvents() {
            eventCount = 0
            unsafe loaded.functions.pointee.ass_flush_events(track)
        }

        /// Returns the script for queries, which is created by the first call, or `nil` if there is not enough memory.
        func probingTrack() -> UnsafeMutablePointer<ASS_Track>? {
            if let probe = unsafe probe { return unsafe probe }
            let functions = unsafe loaded.functions
            guard let track = unsafe functions.pointee.ass_new_track(library) else { return nil }
            // The library has the fonts of the script already.
            unsafe functions.pointee.ass_set_extract_fonts(library, 0)
            unsafe prepare(track)
            unsafe probe = unsafe track
            return unsafe track
        }

        /// Marks the next frame as changed.
        func forgetFrame() { hasForgotten = true }

        /// Draws a frame; whether it may differ from the last one.
        func render(at milliseconds: Int64) -> Bool {
            var change: Int32 = 0
            let wasEmpty = unsafe images == nil
            unsafe images = unsafe loaded.functions.pointee.ass_render_frame(
                renderer, track, milliseconds, &change)
            let isEmpty = unsafe images == nil
            // Without events, libass always reports a change, and then compares with the frame before.
            defer { hasForgotten = false }
            return isEmpty == wasEmpty ? (change != 0 || hasForgotten) && !isEmpty : true
        }

        /// The smallest rectangle that holds the last frame.
        var bounds: PixelRectangle { parts.reduce(.none) { $0.union($1) } }

        /// The rectangles of the visible images of the last frame.
        var parts: [PixelRectangle] {
            var parts: [PixelRectangle] = []
            var next = unsafe images
            while let image = unsafe next?.pointee {
                if unsafe image.w > 0, unsafe image.h > 0, unsafe image.color & 0xFF != 0xFF {
                    unsafe parts.append(
                        PixelRectangle(
                            x: Int(image.dst_x), y: Int(image.dst_y), width: Int(image.w),
                            height: Int(image.h)))
                }
                unsafe next = unsafe image.next
            }
            return parts
        }

        /// Draws the last frame over what a buffer holds.
        func draw(into buffer: inout PixelBuffer) {
            var next = unsafe images
            while let image = unsafe next?.pointee {
                if unsafe image.w > 0, unsafe image.h > 0, let bitmap = unsafe image.bitmap {
                    let width = unsafe Int(image.w)
                    let height = unsafe Int(image.h)
                    let stride = unsafe Int(image.stride)
                    // The last row is not padded to the stride.
                    let coverage = unsafe UnsafeBufferPointer(
                        start: bitmap, count: stride * (height - 1) + width)
                    unsafe buffer.draw(
                        coverage: coverage, stride: stride,
                        at: PixelRectangle(
                            x: Int(image.dst_x), y: Int(image.dst_y), width: width,
                            height: height),
                        color: RGBA(libass: image.color))
                }
                unsafe next = unsafe image.next
            }
        }
    }
#endif
