internal import UndertextCore

/// The objects on screen from a time on, and their positions: a presentation composition segment.
///
/// US 2009/0185789, table 2 and the paragraphs on `composition_state`.
struct PGSComposition {
    /// The relation of a display set to earlier ones.
    enum State {
        /// Adds to what the epoch has defined.
        case normal
        /// Defines again all that is needed, for those who begin here; for others an ordinary set.
        case acquisitionPoint
        /// Begins an epoch: nothing of the one before is left.
        case epochStart
        /// Goes on with the epoch of the clip before: everything stays.
        case epochContinue

        /// The state in the upper two bits.
        init(_ byte: UInt8) {
            switch byte >> 6 {
            case 0: self = .normal
            case 1: self = .acquisitionPoint
            case 2: self = .epochStart
            default: self = .epochContinue
            }
        }
    }

    /// An object at a position.
    struct Placement: Hashable {
        var object: UInt16
        var window: UInt8
        var isForced: Bool
        var x: Int
        var y: Int
        /// The part of the object that is shown; `nil` = all of it.
        var crop: PixelRectangle?
    }

    /// The size of the plane; `nil` where an edge is 0.
    var canvas: PixelSize?
    var state: State
    /// `true` if the palette alone changes.
    var isPaletteUpdate: Bool
    var palette: UInt8
    /// The composition objects, in drawing order.
    var placements: [Placement]
    /// The number of stated objects that are missing, because the segment is too short.
    var missing: Int

    private static let headSize = 11

    /// Parses the body of a segment; `nil` if its header is incomplete.
    init?(_ body: ArraySlice<UInt8>) {
        var reader = ByteReader(body)
        guard let width = reader.uint16(), let height = reader.uint16(), reader.skip(3),
            let state = reader.uint8(), let update = reader.uint8(), let palette = reader.uint8(),
            let count = reader.uint8()
        else { return nil }
        canvas =
            width > 0 && height > 0 ? PixelSize(width: Int(width), height: Int(height)) : nil
        self.state = State(state)
        isPaletteUpdate = update & 0x80 != 0
        self.palette = palette
        placements = []
        while placements.count < count, let placement = Self.placement(&reader) {
            placements.append(placement)
        }
        missing = Int(count) - placements.count
    }

    private static func placement(_ reader: inout ByteReader) -> Placement? {
        guard let object = reader.uint16(), let window = reader.uint8(),
            let flags = reader.uint8(), let x = reader.uint16(), let y = reader.uint16()
        else { return nil }
        var placement = Placement(
            object: object, window: window, isForced: flags & 0x40 != 0, x: Int(x), y: Int(y),
            crop: nil)
        if flags & 0x80 != 0 {
            guard let cropX = reader.uint16(), let cropY = reader.uint16(),
                let width = reader.uint16(), let height = reader.uint16()
            else { return nil }
            placement.crop = PixelRectangle(
                x: Int(cropX), y: Int(cropY), width: Int(width), height: Int(height))
        }
        return placement
    }

    /// `true` if `body` is a composition to the last byte.
    static func isWhole(_ body: ArraySlice<UInt8>) -> Bool {
        guard let composition = PGSComposition(body), composition.missing == 0 else { return false }
        let size = composition.placements.reduce(headSize) { $0 + ($1.crop == nil ? 8 : 16) }
        return size == body.count
    }
}

/// The areas of the plane that an epoch draws on: a window definition segment.
///
/// US 2009/0185789, table 3.
enum PGSWindows {
    /// The rectangles of the body by their number; those that are not whole are left out.
    static func read(_ body: ArraySlice<UInt8>) -> [UInt8: PixelRectangle] {
        var reader = ByteReader(body)
        var windows: [UInt8: PixelRectangle] = [:]
        guard let count = reader.uint8() else { return windows }
        for _ in 0..<count {
            guard let number = reader.uint8(), let x = reader.uint16(), let y = reader.uint16(),
                let width = reader.uint16(), let height = reader.uint16()
            else { break }
            windows[number] = PixelRectangle(
                x: Int(x), y: Int(y), width: Int(width), height: Int(height))
        }
        return windows
    }
}
