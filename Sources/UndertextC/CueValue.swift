internal import CUndertext
internal import Undertext
internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO

/// The object of an `undertext_cue`; its strings and pixels are created at the first request.
final class CueValue: Sendable {
    let cue: Cue
    private let made = Monitor(Made())

    /// The memory that C reads; it never changes after its creation.
    @safe private struct Made: @unchecked Sendable {
        var info: undertext_cue_info?
        var images: [Int: UnsafeMutablePointer<UInt8>] = unsafe [:]
        let texts = CTexts()
    }

    init(_ cue: Cue) {
        self.cue = cue
    }

    deinit {
        made.with { made in
            for index in unsafe made.images.map(\.key) { unsafe made.images[index]?.deallocate() }
        }
    }

    /// The description of the cue.
    var info: undertext_cue_info {
        unsafe made.with { made in
            if let info = unsafe made.info { return unsafe info }
            let info = unsafe undertext_cue_info(cue, made.texts)
            unsafe made.info = unsafe info
            return unsafe info
        }
    }

    /// Returns an image of the cue, or `nil` if there is none with that index.
    func image(_ index: Int) -> undertext_image? {
        guard case .images(let content) = cue.content, content.images.indices.contains(index)
        else { return nil }
        let placed = content.images[index]
        var image = unsafe undertext_image()
        unsafe image.x = Int32(clamping: placed.x)
        unsafe image.y = Int32(clamping: placed.y)
        unsafe image.width = UInt32(clamping: placed.bitmap.width)
        unsafe image.height = UInt32(clamping: placed.bitmap.height)
        unsafe image.stride = placed.bitmap.width * 4
        unsafe image.pixels = unsafe made.with { made in
            if let known = unsafe made.images[index] { return unsafe UnsafePointer(known) }
            let rgba = placed.bitmap.rgba
            let pixels = UnsafeMutablePointer<UInt8>.allocate(capacity: max(1, rgba.count))
            unsafe pixels.initialize(from: rgba, count: rgba.count)
            unsafe made.images[index] = unsafe pixels
            return unsafe UnsafePointer(pixels)
        }
        return unsafe image
    }
}

extension undertext_cue_info {
    fileprivate init(_ cue: Cue, _ texts: CTexts) {
        unsafe self.init()
        unsafe start = cue.start.nanoseconds
        unsafe end = cue.end.nanoseconds
        unsafe is_forced = cue.isForced
        unsafe layer = Int32(clamping: cue.layer)
        switch cue.content {
        case .text:
            unsafe kind = kindValue(isBitmap: false)
            unsafe text = unsafe texts.keep(cue.plainText ?? "")
            unsafe webvtt = unsafe texts.keep(cue.webVTTText)
            unsafe settings = unsafe texts.keep(cue.layout.webVTTSettings)
        case .images(let content):
            unsafe kind = kindValue(isBitmap: true)
            unsafe image_count = content.images.count
            unsafe canvas_width = UInt32(clamping: content.canvas?.width ?? 0)
            unsafe canvas_height = UInt32(clamping: content.canvas?.height ?? 0)
        }
    }
}
