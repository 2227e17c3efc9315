/// How an event of an image folder travels as a packet: a byte of flags, then each image's place, name
/// and file.
struct ImageFolderPacket {
    /// An image of an event.
    struct Image: Hashable {
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

    mutating func add(_ image: Image) {
        bytes.appendBigEndian(Int32(clamping: image.x))
        bytes.appendBigEndian(Int32(clamping: image.y))
        let name = Array(image.name.utf8.prefix(0xFFFF))
        bytes.appendBigEndian(UInt16(clamping: name.count))
        bytes += name
        bytes.appendBigEndian(UInt32(clamping: image.bytes.count))
        bytes += image.bytes
        count += 1
    }

    /// The flag and the images of a packet; what is cut off is left out.
    static func parts(of data: [UInt8]) -> (isForced: Bool, images: [Image]) {
        var reader = ByteReader(data)
        let isForced = reader.uint8() == 1
        var images: [Image] = []
        while let x = reader.uint32(), let y = reader.uint32(), let length = reader.uint16(),
            let name = reader.slice(Int(length)), let size = reader.uint32(),
            let file = reader.slice(Int(size))
        {
            images.append(
                Image(
                    name: String(decoding: name, as: UTF8.self),
                    x: Int(Int32(bitPattern: x)), y: Int(Int32(bitPattern: y)), bytes: Array(file)))
        }
        return (isForced, images)
    }
}
