internal import UndertextCore
internal import UndertextFormats

/// The placement of the images of cues on the overlay.
struct ImagePlacement {
    let geometry: OverlayGeometry
    /// The viewer's position, alignment and margins, which override those of images.
    let style: SubtitleStyle

    /// The margin of moved images in percent.
    private static let safe = 5.0

    /// Returns the positions of the images of cues that are shown together, in their order.
    ///
    /// If the viewer's style moves images, all of them move together, because the forced and the other images of a
    /// display set are two cues that would otherwise overlap.
    ///
    /// - Parameter images: The images of each cue, and their canvas.
    /// - Returns: The positions of each cue's images.
    func places(of images: [(CueImages, canvas: PixelSize)]) -> [[PixelRectangle]] {
        var places = images.map { stored($0, canvas: $1) }
        let wholes = places.map { $0.reduce(PixelRectangle.none) { $0.union($1) } }
        let all = wholes.reduce(PixelRectangle.none) { $0.union($1) }
        for index in places.indices {
            let move = shift(of: isMoved ? all : wholes[index])
            for image in places[index].indices {
                places[index][image].x += move.x
                places[index][image].y += move.y
            }
        }
        return places
    }

    /// The rectangles of a cue's images on their canvas.
    private func stored(_ images: CueImages, canvas: PixelSize) -> [PixelRectangle] {
        let (left, top, scaleX, scaleY) = scale(of: canvas)
        func edge(_ value: Int, _ scale: Double, _ offset: Double) -> Int {
            Int(min(max((Double(value) * scale + offset).rounded(), -1e6), 1e6))
        }
        return images.images.map { image -> PixelRectangle in
            let bitmap = image.bitmap
            let x = edge(image.x, scaleX, left)
            let y = edge(image.y, scaleY, top)
            // Unscaled images keep their size at any position.
            let width =
                scaleX == 1 ? bitmap.width : edge(image.x + bitmap.width, scaleX, left) - x
            let height =
                scaleY == 1 ? bitmap.height : edge(image.y + bitmap.height, scaleY, top) - y
            return PixelRectangle(
                x: x, y: y, width: min(max(1, width), 65_536), height: min(max(1, height), 65_536))
        }
    }

    /// Returns the mapping from positions on a canvas to positions on the overlay.
    ///
    /// Standard-definition discs store pixels that are not square: their canvas is the image, with any aspect
    /// ratio. Another canvas with a different aspect ratio belongs to a video whose black bars were cropped: it
    /// extends beyond the image.
    private func scale(
        of canvas: PixelSize
    ) -> (left: Double, top: Double, scaleX: Double, scaleY: Double) {
        let image = geometry.image
        let (width, height) = (Double(max(1, canvas.width)), Double(max(1, canvas.height)))
        var scaleX = Double(image.width) / width
        var scaleY = Double(image.height) / height
        let isSquare = canvas.height > 576
        if isSquare, (scaleX / scaleY - 1).magnitude > 0.02 {
            let whole = max(scaleX, scaleY)
            (scaleX, scaleY) = (whole, whole)
        }
        let left = Double(image.x) + (Double(image.width) - width * scaleX) / 2
        let top = Double(image.y) + (Double(image.height) - height * scaleY) / 2
        return (left.rounded(), top.rounded(), scaleX, scaleY)
    }

    /// `true` if images are moved from where they are stored.
    private var isMoved: Bool {
        style.position != nil || style.alignment != nil || style.leftMargin != nil
            || style.rightMargin != nil || style.verticalMargin != nil
    }

    /// The offset of images: to the viewer's position, and into the overlay.
    private func shift(of whole: PixelRectangle) -> (x: Int, y: Int) {
        func inside(_ start: Int, _ length: Int, _ limit: Int) -> Int {
            length >= limit ? start : min(max(start, 0), limit - length)
        }
        let x = inside(left(of: whole), whole.width, geometry.output.width)
        let y = inside(top(of: whole), whole.height, geometry.output.height)
        return (x - whole.x, y - whole.y)
    }

    private func top(of whole: PixelRectangle) -> Int {
        let image = geometry.image
        let margin = pixels(style.verticalMargin ?? Self.safe, of: image.height)
        let top = image.y + margin
        let room = max(0, image.height - 2 * margin - whole.height)
        switch style.position {
        case nil where style.verticalMargin == nil: return whole.y
        case nil: return min(max(whole.y, top), top + room)
        case .top: return top
        case .middle: return top + room / 2
        case .bottom: return top + room
        case .percent(let part):
            let place = part.isFinite ? min(max(part, 0), 100) : 100
            return top + Int((Double(room) * place / 100).rounded())
        }
    }

    private func left(of whole: PixelRectangle) -> Int {
        let image = geometry.image
        let hasMargin = style.leftMargin != nil || style.rightMargin != nil
        // Without an alignment, images only keep away from the wanted margins.
        let usual = style.alignment == nil ? 0 : Self.safe
        let left = image.x + pixels(style.leftMargin ?? usual, of: image.width)
        let right = image.x + image.width - pixels(style.rightMargin ?? usual, of: image.width)
        let room = max(0, right - left - whole.width)
        switch style.alignment {
        case nil: return hasMargin ? min(max(whole.x, left), left + room) : whole.x
        case .left: return left
        case .center: return left + room / 2
        case .right: return left + room
        }
    }

    private func pixels(_ percent: Double, of size: Int) -> Int {
        Int(Double(size) * (percent.isFinite ? min(max(percent, 0), 45) : 0) / 100)
    }
}
