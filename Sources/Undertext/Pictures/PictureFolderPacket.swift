/// How an event of a picture folder travels as a packet: a byte of flags, then each picture's place, name
/// and file.
struct PictureFolderPacket {
    /// A picture of an event.
    struct Picture: Hashable {
        /// What its file is called.
        var name: String
        /// Left edge on the canvas, pixels.
        var x: Int
        /// Top edge on the canvas, pixels.
        var y: Int
        /// The file.
        var bytes: [UInt8]
    }

    private(set) var bytes: [UInt8]
    private(set) var count = 0

    init(isForced: Bool) { bytes = [isForced ? 1 : 0] }

    var size: Int { bytes.count }

    mutating func add(_ picture: Picture) {
        bytes.appendBigEndian(Int32(clamping: picture.x))
        bytes.appendBigEndian(Int32(clamping: picture.y))
        let name = Array(picture.name.utf8.prefix(0xFFFF))
        bytes.appendBigEndian(UInt16(clamping: name.count))
        bytes += name
        bytes.appendBigEndian(UInt32(clamping: picture.bytes.count))
        bytes += picture.bytes
        count += 1
    }

    /// The flag and the pictures of a packet; what is cut off is left out.
    static func parts(of data: [UInt8]) -> (isForced: Bool, pictures: [Picture]) {
        var reader = ByteReader(data)
        let isForced = reader.uint8() == 1
        var pictures: [Picture] = []
        while let x = reader.uint32(), let y = reader.uint32(), let length = reader.uint16(),
            let name = reader.slice(Int(length)), let size = reader.uint32(),
            let file = reader.slice(Int(size))
        {
            pictures.append(
                Picture(
                    name: String(decoding: name, as: UTF8.self),
                    x: Int(Int32(bitPattern: x)), y: Int(Int32(bitPattern: y)), bytes: Array(file)))
        }
        return (isForced, pictures)
    }
}
