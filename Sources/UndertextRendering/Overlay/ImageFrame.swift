#if Rendering
    internal import UndertextCore
    internal import UndertextFormats

    /// The images of one frame, within the budget of pixels.
    struct ImageFrame {
        /// The images on the overlay, from bottom to top.
        private(set) var images: [PackedImage] = []

        private let window: PixelRectangle
        private let scaler: BitmapScaler
        private let limits: Limits
        /// Pixels that may still be touched: about two seconds at worst at 1920 × 1080, as for text.
        private var pixels: Double
        /// The scaled images; an image may be placed many times.
        private var copies: [(bitmap: IndexedBitmap, place: PixelRectangle, copy: Int)] = []

        init(_ geometry: OverlayGeometry, _ limits: Limits, pixels: Double? = nil) {
            window = PixelRectangle(
                x: 0, y: 0, width: geometry.output.width, height: geometry.output.height)
            scaler = BitmapScaler(format: geometry.format)
            self.limits = limits
            self.pixels = pixels ?? EventCost.budget(geometry)
        }

        /// Lays an image on top; `false` if that would take too long.
        mutating func draw(_ bitmap: IndexedBitmap, at place: PixelRectangle) -> Bool {
            let part = place.intersection(window)
            guard !part.isEmpty else { return true }
            guard place.width <= limits.canvas, place.height <= limits.canvas,
                images.count < limits.objects
            else { return false }
            // Compositing costs the image's area, with any scaler.
            let area = Double(part.width) * Double(part.height)
            if let known = copies.first(where: { isCopy($0.place, place, $0.bitmap, bitmap) }) {
                guard area <= pixels else { return false }
                pixels -= area
                var image = images[known.copy]
                image.place.x += place.x - known.place.x
                image.place.y += place.y - known.place.y
                images.append(image)
                return true
            }
            let cost = area + BitmapScaler.cost(bitmap, to: place, within: window)
            guard cost <= pixels else { return false }
            pixels -= cost
            copies.append((bitmap, place, images.count))
            images.append(scaler.scaled(bitmap, to: place, within: window))
            return true
        }

        /// `true` if the same part of the same image shows at the same size.
        private func isCopy(
            _ known: PixelRectangle, _ place: PixelRectangle, _ bitmap: IndexedBitmap,
            _ other: IndexedBitmap
        ) -> Bool {
            func visible(_ place: PixelRectangle) -> PixelRectangle {
                var part = place.intersection(window)
                part.x -= place.x
                part.y -= place.y
                return part
            }
            return known.width == place.width && known.height == place.height
                && visible(known) == visible(place) && bitmap == other
        }
    }
#endif
