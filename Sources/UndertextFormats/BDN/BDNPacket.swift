internal import UndertextCore

/// An event of BDN XML as a packet: a byte of flags, then each image's position, name and file.
package struct BDNPacket {
    /// An image of an event.
    package struct Image: Hashable {
        /// The name of its file.
        package var name: String
        /// The left edge on the canvas, pixels.
        package var x: Int
        /// The top edge on the canvas, pixels.
        package var y: Int
        /// The file.
        package var bytes: [UInt8]

        /// Creates an image.
        package init(name: String, x: Int, y: Int, bytes: [UInt8]) {
            self.name = name
            self.x = x
            self.y = y
            self.bytes = bytes
        }
    }

    /// The packet's data.
    package private(set) var bytes: [UInt8]
    /// Number of images.
    package private(set) var count = 0

    /// Creates a packet without images.
    package init(isForced: Bool) { bytes = [isForced ? 1 : 0] }

    /// Bytes of the packet's data.
    package var size: Int { bytes.count }

    /// Adds an image.
    package mutating func add(_ image: Image) {
        bytes.appendBigEndian(Int32(clamping: image.x))
        bytes.appendBigEndian(Int32(clamping: image.y))
        let name = Array(image.name.utf8.prefix(0xFFFF))
        bytes.appendBigEndian(UInt16(clamping: name.count))
        bytes += name
        bytes.appendBigEndian(UInt32(clamping: image.bytes.count))
        bytes += image.bytes
        count += 1
    }

    /// The flag and the images of a packet; a truncated image is left out.
    package static func parts(of data: [UInt8]) -> (isForced: Bool, images: [Image]) {
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
