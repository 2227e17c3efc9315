internal import CUndertext
internal import Undertext
internal import UndertextCore
internal import UndertextRendering

/// The pixels that C reads, at the same address as long as the size stays.
///
/// Only changed rectangles are copied.
@safe final class OverlayCanvas {
    let size: PixelSize
    private let stride: Int
    private let pixels: UnsafeMutableBufferPointer<UInt8>
    private var changeID: UInt64
    private var bounds = PixelRectangle.nothing

    /// Creates a transparent canvas.
    ///
    /// - Parameters:
    ///   - size: The size in pixels.
    ///   - earlier: The canvas after whose change IDs those of this one continue.
    ///   - firstID: The value before the first change ID if there is no earlier canvas.
    init(_ size: PixelSize, after earlier: OverlayCanvas? = nil, firstID: UInt64 = 0) {
        self.size = size
        stride = size.width * 4
        unsafe pixels = .allocate(capacity: stride * size.height)
        unsafe pixels.initialize(repeating: 0)
        changeID = earlier.map { $0.changeID + 1 } ?? firstID
    }

    deinit {
        unsafe pixels.deallocate()
    }

    /// Copies the changes of an overlay to the canvas.
    ///
    /// - Parameters:
    ///   - overlay: The new overlay.
    ///   - known: The change ID of the overlay on the canvas, or `nil` if another renderer drew that one.
    /// - Returns: The overlay for C.
    func show(_ overlay: Overlay, knows known: UInt64?) -> DrawnOverlay {
        var dirty = PixelRectangle.nothing
        if known == nil {
            // Change IDs of different renderers are unrelated, so the pixels are compared.
            dirty = copy(overlay, bounds.around(overlay.bounds), comparing: true)
        } else if known != overlay.changeID {
            for rectangle in overlay.dirty {
                dirty = dirty.around(copy(overlay, rectangle, comparing: false))
            }
        }
        if !dirty.isEmpty || changeID == 0 { changeID += 1 }
        bounds = overlay.bounds
        var result = unsafe undertext_overlay()
        unsafe result.width = UInt32(size.width)
        unsafe result.height = UInt32(size.height)
        unsafe result.stride = stride
        unsafe result.pixels = unsafe UnsafePointer(pixels.baseAddress)
        unsafe result.bounds = undertext_rectangle(overlay.bounds)
        unsafe result.dirty = undertext_rectangle(dirty)
        unsafe result.change_id = changeID
        unsafe result.is_animated = overlay.isAnimated
        return unsafe DrawnOverlay(value: result)
    }

    /// Copies a rectangle; with `comparing`, only the rows that differ.
    ///
    /// - Returns: The rectangle that was copied.
    private func copy(
        _ overlay: Overlay, _ part: PixelRectangle, comparing: Bool
    ) -> PixelRectangle {
        guard !part.isEmpty, overlay.width == size.width, overlay.height == size.height else {
            return .nothing
        }
        var rows: ClosedRange<Int>?
        unsafe overlay.pixels.withUnsafeBufferPointer { source in
            for y in part.y..<part.y + part.height {
                let row = y * stride + part.x * 4
                let range = row..<row + part.width * 4
                let from = unsafe UnsafeBufferPointer(rebasing: source[range])
                let to = unsafe UnsafeMutableBufferPointer(rebasing: pixels[range])
                if comparing, unsafe from.elementsEqual(to) { continue }
                _ = unsafe to.update(fromContentsOf: from)
                rows = min(rows?.lowerBound ?? y, y)...y
            }
        }
        guard let rows else { return .nothing }
        return PixelRectangle(
            x: part.x, y: rows.lowerBound, width: part.width, height: rows.count)
    }
}

/// An overlay for C whose pixels belong to a canvas.
@safe struct DrawnOverlay {
    let value: undertext_overlay
}

extension undertext_rectangle {
    fileprivate init(_ rectangle: PixelRectangle) {
        self.init(
            x: Int32(clamping: rectangle.x), y: Int32(clamping: rectangle.y),
            width: UInt32(clamping: rectangle.width), height: UInt32(clamping: rectangle.height))
    }
}

extension PixelRectangle {
    /// A rectangle without pixels.
    fileprivate static let nothing = PixelRectangle(x: 0, y: 0, width: 0, height: 0)

    /// Returns the smallest rectangle that contains both.
    fileprivate func around(_ other: PixelRectangle) -> PixelRectangle {
        if isEmpty { return other }
        if other.isEmpty { return self }
        let (left, top) = (min(x, other.x), min(y, other.y))
        let right = max(x + width, other.x + other.width)
        let bottom = max(y + height, other.y + other.height)
        return PixelRectangle(x: left, y: top, width: right - left, height: bottom - top)
    }
}
