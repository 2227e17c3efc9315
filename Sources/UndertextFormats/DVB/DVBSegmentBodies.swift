internal import UndertextCore

/// The visible regions and their positions (EN 300 743, section 7.2.2).
struct DVBPageComposition: Hashable, Sendable {
    /// page_state.
    enum State: UInt8, Hashable, Sendable {
        /// Only what changes.
        case normal = 0
        /// All that is needed to show the page: decoders may start here.
        case acquisitionPoint = 1
        /// A new page from nothing.
        case modeChange = 2
        /// Not defined; read as a change.
        case reserved = 3
    }

    /// A region and its position.
    struct Region: Hashable, Sendable {
        var id: UInt8
        var x: Int
        var y: Int
    }

    /// Seconds after which the page leaves the screen.
    var timeOut: Int
    var state: State
    var regions: [Region]

    /// Reads a body; `nil` where it is too short.
    ///
    /// A region that is cut off is left out.
    init?(_ body: ArraySlice<UInt8>) {
        var reader = ByteReader(body)
        guard let timeOut = reader.uint8(), let flags = reader.uint8() else { return nil }
        self.timeOut = Int(timeOut)
        state = State(rawValue: flags >> 2 & 3) ?? .reserved
        regions = []
        while let id = reader.uint8(), reader.skip(1), let x = reader.uint16(),
            let y = reader.uint16()
        {
            regions.append(Region(id: id, x: Int(x), y: Int(y)))
        }
    }
}

/// A rectangle of pixels and the objects in it (section 7.2.3).
struct DVBRegionComposition: Hashable, Sendable {
    /// An object and its position in the region.
    struct Object: Hashable, Sendable {
        var id: UInt16
        /// object_type: 0 a bitmap, 1 a character, 2 a string of characters.
        var type: UInt8
        var x: Int
        var y: Int
    }

    var id: UInt8
    var version: UInt8
    /// region_fill_flag.
    var isFilled: Bool
    var width: Int
    var height: Int
    var depth: DVBPixelDepth
    var clut: UInt8
    /// The code of the background at that depth.
    var background: UInt8
    var objects: [Object]

    /// Reads a body; `nil` where it is too short or has no depth that the standard knows.
    init?(_ body: ArraySlice<UInt8>) {
        var reader = ByteReader(body)
        guard let id = reader.uint8(), let flags = reader.uint8(), let width = reader.uint16(),
            let height = reader.uint16(), let depths = reader.uint8(),
            let clut = reader.uint8(), let fill8 = reader.uint8(), let fill = reader.uint8(),
            let depth = DVBPixelDepth(rawValue: depths >> 2 & 7)
        else { return nil }
        self.id = id
        version = flags >> 4
        isFilled = flags & 0x08 != 0
        self.width = Int(width)
        self.height = Int(height)
        self.depth = depth
        self.clut = clut
        background =
            switch depth {
            case .two: fill >> 2 & 3
            case .four: fill >> 4
            case .eight: fill8
            }
        objects = []
        while let object = reader.uint16(), let x = reader.uint16(), let y = reader.uint16() {
            let type = UInt8(x >> 14)
            objects.append(
                Object(id: object, type: type, x: Int(x & 0x0FFF), y: Int(y & 0x0FFF)))
            // foreground_pixel_code and background_pixel_code.
            if type == 1 || type == 2, !reader.skip(2) { break }
        }
    }
}

/// region_depth: bits of a pixel code.
enum DVBPixelDepth: UInt8, Hashable, Sendable {
    case two = 1
    case four = 2
    case eight = 3

    /// Bits of a code.
    var bits: Int { 1 << Int(rawValue) }
    /// The codes that exist.
    var mask: UInt8 { UInt8((1 << bits) - 1) }
}

/// The canvas, and the window on it where pages are placed (section 7.2.1).
struct DVBDisplayDefinition: Hashable, Sendable {
    var width: Int
    var height: Int
    /// The display window of regions; their positions are relative to its corner.
    var window: PixelRectangle

    /// The display of streams without a definition.
    static let standard = DVBDisplayDefinition(width: 720, height: 576)

    private init(width: Int, height: Int) {
        self.width = width
        self.height = height
        window = PixelRectangle(x: 0, y: 0, width: width, height: height)
    }

    /// Reads a body; `nil` where it is too short.
    init?(_ body: ArraySlice<UInt8>) {
        var reader = ByteReader(body)
        guard let flags = reader.uint8(), let width = reader.uint16(),
            let height = reader.uint16()
        else { return nil }
        self.init(width: Int(width) + 1, height: Int(height) + 1)
        guard flags & 0x08 != 0 else { return }
        guard let left = reader.uint16(), let right = reader.uint16(), let top = reader.uint16(),
            let bottom = reader.uint16()
        else { return nil }
        window = PixelRectangle(
            x: Int(left), y: Int(top), width: Int(right) - Int(left) + 1,
            height: Int(bottom) - Int(top) + 1)
    }
}

/// The pixels of an object, still coded (section 7.2.5).
struct DVBObjectData: Hashable, Sendable {
    /// object_coding_method.
    enum Coding: Hashable, Sendable {
        /// Strings of pixels, a field each; an empty bottom field repeats the top one.
        case fields(top: ArraySlice<UInt8>, bottom: ArraySlice<UInt8>)
        /// Characters, whose codes mean what stream and receiver have agreed upon.
        case characters
        /// All lines in one, compressed.
        case progressive(width: Int, height: Int, data: ArraySlice<UInt8>)
        /// Not defined.
        case unknown
    }

    var id: UInt16
    var version: UInt8
    /// non_modifying_colour_flag: pixels of entry 1 keep the existing content.
    var leavesEntryOne: Bool
    var coding: Coding
    /// `true` if a field is shorter than it says.
    var isTruncated = false

    /// Reads a body; `nil` where it is too short.
    init?(_ body: ArraySlice<UInt8>) {
        var reader = ByteReader(body)
        guard let id = reader.uint16(), let flags = reader.uint8() else { return nil }
        self.id = id
        version = flags >> 4
        leavesEntryOne = flags & 0x02 != 0
        switch flags >> 2 & 3 {
        case 0:
            guard let top = reader.uint16(), let bottom = reader.uint16() else { return nil }
            isTruncated = Int(top) + Int(bottom) > reader.remaining
            let first = reader.slice(min(Int(top), reader.remaining)) ?? []
            let second = reader.slice(min(Int(bottom), reader.remaining)) ?? []
            coding = .fields(top: first, bottom: second)
        case 1:
            coding = .characters
        case 2:
            guard let width = reader.uint16(), let height = reader.uint16(),
                let size = reader.uint16()
            else { return nil }
            isTruncated = Int(size) > reader.remaining
            let data = reader.slice(min(Int(size), reader.remaining)) ?? []
            coding = .progressive(width: Int(width), height: Int(height), data: data)
        default:
            coding = .unknown
        }
    }
}
