internal import UndertextCore

/// Tags as FFmpeg collects them: a name is there once, regardless of case.
struct MP4TagList {
    private(set) var tags: [MetadataTag] = []
    /// `true` if there were more tags than any file has.
    private(set) var isFull = false

    private static let most = 1000

    /// Sets a tag; one of the same name gives its place to the last one, as in an `AVDictionary`.
    mutating func set(_ key: String, _ value: String) {
        // Each tag is compared with all before.
        isFull = isFull || tags.count >= Self.most
        guard !isFull else { return }
        let name = Self.folded(key)
        if let place = tags.firstIndex(where: { Self.folded($0.key) == name }) {
            tags.swapAt(place, tags.count - 1)
            tags.removeLast()
        }
        tags.append(MetadataTag(key, value))
    }

    /// Sets a tag whose value is stored as bytes that a zero may end.
    mutating func set(_ key: String, bytes: some Collection<UInt8>) {
        set(key, MP4Tags.text(bytes))
    }

    private static func folded(_ key: String) -> [UInt8] { key.utf8.map(\.lowercased) }
}

/// A cover image in `ilst`.
struct MP4Cover: Hashable {
    /// `png` or `mjpeg`.
    let codec: CodecID
    /// The size of the image.
    let size: PixelSize
    /// The offset of its bytes.
    let position: UInt64
    /// The length in bytes.
    let length: Int
}

/// The tags, the covers and the chapters of `moov/udta` and `moov/meta`.
///
/// QuickTime file format, "User Data Atoms" and "Metadata"; iTunes stores its own list in `udta/meta/ilst`. The names are those
/// that all versions of libavformat know alike.
struct MP4Tags {
    private(set) var list = MP4TagList()
    /// The covers, and the number of tracks before each.
    private(set) var covers: [(cover: MP4Cover, tracks: Int)] = []
    /// The chapters of `chpl`, whose ends are not stated.
    private(set) var chapters: [(start: Int64, title: String)] = []
    /// `true` if the samples that an encoder added are stated, which libavformat skips in the track before.
    private(set) var hasPadding = false

    private let describer: MP4Describer
    private var boxes: MP4BoxReader { describer.boxes }
    /// The names of `moov/meta/keys`.
    private var keys: [String] = []
    private var isKeyed = false
    private var tracks = 0

    /// Bytes of an image that are searched for its size.
    private static let imageHeadSize = 64 << 10
    /// The longest name and value.
    private static let valueSize: UInt64 = 1 << 20
    private static let keysAtMost = 1000

    /// Begins with the tags of a movie's own boxes.
    init(_ movie: MP4MovieHeader, _ describer: MP4Describer) {
        self.describer = describer
        list.set("major_brand", bytes: movie.fileType.prefix(4))
        let version = movie.fileType.dropFirst(4).prefix(4)
        list.set("minor_version", String(version.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }))
        list.set("compatible_brands", bytes: movie.fileType.dropFirst(8))
    }

    /// The text before the first zero.
    static func text(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    /// `creation_time` of seconds since 1904; an empty array for none, `nil` if it is in doubt.
    static func creationTime(_ seconds: UInt64) -> [MetadataTag]? {
        guard seconds > 0 else { return [] }
        // Times before 1970 are taken for those of Unix, or not at all.
        let unix: UInt64 = 2_082_844_800
        guard seconds >= unix, let count = Int64(exactly: seconds - unix), count < 1 << 32 else {
            return nil
        }
        let text = ISO8601.text(Timestamp(nanoseconds: count * 1_000_000_000))
        // Microseconds rather than milliseconds.
        return [MetadataTag("creation_time", text.dropLast() + "000Z")]
    }

    /// Adds the tags of the movie's header.
    mutating func add(_ tags: [MetadataTag]) {
        for tag in tags { list.set(tag.key, tag.value) }
    }

    /// Reads `moov/udta` or `moov/meta` after a number of tracks; `false` if libavformat may find something else.
    ///
    /// - Throws: `UndertextError` of the source.
    mutating func read(_ box: MP4Box, tracks: Int) throws(UndertextError) -> Bool {
        self.tracks = tracks
        if box.type == "meta" { return try readMetadata(box) }
        guard !box.content.isEmpty else { return true }
        // QuickTime ends the list by four zero bytes.
        let found = try boxes.boxes(in: box.content)
        let end = found.last?.end ?? box.content.lowerBound
        guard box.content.upperBound - end < 8, found.last?.isCut != true else { return false }
        for child in found {
            switch child.type {
            case "meta": guard try readMetadata(child) else { return false }
            case "chpl": guard try readChapters(child) else { return false }
            case "free", "skip", "wide": break
            default: guard try readUserData(child) else { return false }
            }
        }
        return true
    }

    // MARK: Chapters

    private mutating func readChapters(_ box: MP4Box) throws(UndertextError) -> Bool {
        guard chapters.isEmpty, let content = try describer.content(of: box) else { return false }
        var reader = ByteReader(content)
        guard let version = reader.uint8(), reader.skip(version == 0 ? 3 : 7),
            let count = reader.uint8()
        else { return false }
        for _ in 0..<count {
            guard let start = reader.uint64().flatMap({ Int64(exactly: $0) }), start < 1 << 55,
                start >= chapters.last?.start ?? 0,
                let length = reader.uint8(), let title = reader.slice(Int(length))
            else { return false }
            chapters.append((start, Self.text(title)))
        }
        return true
    }

    // MARK: Tags

    /// A tag of QuickTime: a length and a language, then the text.
    private mutating func readUserData(_ box: MP4Box) throws(UndertextError) -> Bool {
        guard let type = try type(of: box), type.hasPrefix("©") else { return false }
        // The description, which FFmpeg writes and does not read.
        if type == "©des" { return true }
        guard let tag = MP4TagNames.names[type], tag.form == .text,
            let content = try describer.content(of: box)
        else { return false }
        var reader = ByteReader(content)
        guard content.count > 4, let length = reader.uint16(), let number = reader.uint16(),
            let value = reader.slice(Int(length)), let language = MP4Language(number)
        else { return false }
        // Letters of Mac OS.
        let isUnicode = number >= 0x400 && number != 0x7FFF
        guard isUnicode || value.allSatisfy({ $0 < 0x80 }) else { return false }
        list.set(tag.name, bytes: value)
        if let code = language.code, code != "und" { list.set("\(tag.name)-\(code)", bytes: value) }
        return true
    }

    private mutating func readMetadata(_ box: MP4Box) throws(UndertextError) -> Bool {
        var head = try boxes.head(of: box, 12)
        guard let first = head.slice(4), let second = head.slice(4), let third = head.slice(4)
        else {
            return false
        }
        // In QuickTime, `meta` has no version.
        let handler = Array("hdlr".utf8)
        guard second.elementsEqual(handler) || third.elementsEqual(handler), !first.isEmpty else {
            return false
        }
        let start = box.content.lowerBound + (second.elementsEqual(handler) ? 0 : 4)
        guard let children = try describer.whole(start..<box.content.upperBound) else {
            return false
        }
        for child in children {
            switch child.type {
            case "hdlr":
                var reader = try boxes.head(of: child, 12)
                guard reader.skip(8), let type = reader.slice(4) else { return false }
                switch String(decoding: type, as: UTF8.self) {
                case "mdir": guard !isKeyed else { return false }
                case "mdta":
                    guard !isKeyed else { return false }
                    isKeyed = true
                default: return false
                }
            case "keys": guard isKeyed, keys.isEmpty, try readKeys(child) else { return false }
            case "ilst":
                if child.content.isEmpty { continue }
                guard try readItems(child) else { return false }
            default: guard MP4Describer.padding.contains(child.type) else { return false }
            }
        }
        return true
    }

    private mutating func readKeys(_ box: MP4Box) throws(UndertextError) -> Bool {
        guard let content = try describer.content(of: box) else { return false }
        var reader = ByteReader(content)
        guard reader.skip(4), let count = reader.uint32(), count <= Self.keysAtMost else {
            return false
        }
        for _ in 0..<count {
            guard let length = reader.uint32(), length > 8, let space = reader.slice(4),
                space.elementsEqual("mdta".utf8), let key = reader.slice(Int(length) - 8)
            else { return false }
            keys.append(Self.text(key))
        }
        return reader.isAtEnd
    }

    private mutating func readItems(_ box: MP4Box) throws(UndertextError) -> Bool {
        guard let items = try describer.whole(box.content) else { return false }
        for item in items {
            guard let type = try type(of: item) else { return false }
            switch type {
            case "covr": guard try readCovers(item) else { return false }
            case "----": guard try readCustom(item) else { return false }
            case "free": break
            default: guard try readItem(item, type) else { return false }
            }
        }
        return true
    }

    /// The name and the form of a value in `ilst`.
    private func tag(_ type: String, _ item: MP4Box) throws(UndertextError) -> MP4TagNames.Tag? {
        guard isKeyed else { return MP4TagNames.names[type] }
        let number = try boxes.window.bytes(at: item.start + 4, count: 4)
            .reduce(0) { $0 << 8 | Int($1) }
        guard keys.indices.contains(number - 1), !keys[number - 1].isEmpty,
            keys[number - 1] != "com.apple.quicktime.artwork"
        else { return nil }
        return MP4TagNames.Tag(name: keys[number - 1], form: .text)
    }

    private mutating func readItem(_ item: MP4Box, _ type: String) throws(UndertextError) -> Bool {
        guard let tag = try tag(type, item), let content = try describer.content(of: item) else {
            return false
        }
        var reader = ByteReader(content)
        guard let length = reader.uint32(), Int(length) == content.count, length > 16,
            reader.slice(4)?.elementsEqual("data".utf8) == true, let kind = reader.uint32(),
            reader.skip(4)
        else { return false }
        let value = reader.rest()
        switch tag.form {
        case .text:
            guard let text = Self.text(value, kind: kind) else { return false }
            list.set(tag.name, text)
        case .byte: list.set(tag.name, String(value[value.startIndex]))
        case .lastByte:
            guard value.count >= 4 else { return false }
            list.set(tag.name, String(value[value.startIndex + 3]))
        case .numberOfTotal:
            guard value.count >= 4 else { return false }
            let numbers = Array(value)
            let number = Int16(bitPattern: UInt16(numbers[2]) << 8 | UInt16(numbers[3]))
            let total =
                numbers.count >= 6
                ? Int16(bitPattern: UInt16(numbers[4]) << 8 | UInt16(numbers[5])) : 0
            list.set(tag.name, total == 0 ? "\(number)" : "\(number)/\(total)")
        }
        return true
    }

    /// The text of a value of a kind; `nil` for kinds that libavformat reports otherwise, or not at all.
    private static func text(_ value: ArraySlice<UInt8>, kind: UInt32) -> String? {
        switch kind {
        case 1, 4: return text(value)
        // Letters of Mac OS.
        case 0: return value.allSatisfy { $0 < 0x80 } ? text(value) : nil
        case 21 where value.count <= 4:
            let bits = value.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let shift = UInt32(32 - 8 * value.count)
            return String(Int32(bitPattern: bits << shift) >> Int32(shift))
        default: return nil
        }
    }

    /// A value that a program named: `mean`, `name` and `data`.
    private mutating func readCustom(_ item: MP4Box) throws(UndertextError) -> Bool {
        guard let content = try describer.content(of: item),
            let parts = MP4MemoryBoxes.all(in: content[...]),
            parts.map(\.type) == ["mean", "name", "data"],
            parts.allSatisfy({ $0.content.count >= 4 }), parts[2].content.count > 8
        else { return false }
        let name = Self.text(parts[1].content.dropFirst(4))
        guard !name.isEmpty else { return false }
        hasPadding = hasPadding || name == "iTunSMPB"
        // The codec.
        if name != "cdec" { list.set(name, bytes: parts[2].content.dropFirst(8)) }
        return true
    }

    // MARK: Covers

    private mutating func readCovers(_ item: MP4Box) throws(UndertextError) -> Bool {
        guard let images = try describer.whole(item.content) else { return false }
        for image in images {
            var reader = try boxes.head(of: image, 8)
            guard image.type == "data", let kind = reader.uint32(), [13, 14].contains(kind),
                tracks + covers.count < describer.file.limits.streams
            else { return false }
            let position = image.content.lowerBound + 8
            guard image.content.upperBound > position,
                let length = Int(exactly: image.content.upperBound - position),
                length <= describer.file.limits.attachmentSize
            else { return false }
            let head = try boxes.window.bytes(
                at: position, count: min(length, Self.imageHeadSize))
            // As the signature says, whatever the kind is.
            let isPNG = length >= 8 && ImageHeader.isPNG(head)
            let codec = CodecID(rawValue: isPNG ? "png" : "mjpeg")
            guard let size = ImageHeader.size(head, total: length, codec: codec) else {
                return false
            }
            let cover = MP4Cover(codec: codec, size: size, position: position, length: length)
            covers.append((cover, tracks))
        }
        return true
    }

    /// The four characters of a box's type, of which `©` is one byte; `nil` if they are no text.
    private func type(of box: MP4Box) throws(UndertextError) -> String? {
        let bytes = try boxes.window.bytes(at: box.start + 4, count: 4)
        guard bytes.count == 4 else { return nil }
        return String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) }))
    }
}
