public import UndertextCore

/// An image of a document that somebody else decodes: PNG needs a library.
public enum TTMLDrawnImage: Sendable {
    /// It became this.
    case decoded(PlacedBitmap, isExact: Bool)
    /// It could not be decoded, and why.
    case failed(String)
}

/// Where the images of a document come from.
struct TTMLImageSource {
    private let tree: TTMLTree
    private let files: [String: [UInt8]]

    init(_ tree: TTMLTree, files: [String: [UInt8]]) {
        self.tree = tree
        self.files = files
    }

    /// Why an image is not there.
    struct Missing: Error {
        var code: String
        var message: String
    }

    /// The bytes of an image by its address: `#id`, `data:`, or the name of a file beside the document.
    func bytes(of address: String) throws(Missing) -> [UInt8] {
        if address.utf8.first == 0x23 {
            guard let element = tree.data[String(address.dropFirst())] else {
                throw Missing(
                    code: "missing-picture", message: "there is no image '\(address.prefix(60))'")
            }
            let chunks = element.children.filter { $0.kind == .data }.map(\.text)
            return try decoded(element.text + chunks.joined(), of: address)
        }
        if address.utf8.starts(with: "data:".utf8) {
            guard let comma = address.utf8.firstIndex(of: 0x2C),
                address[..<comma].hasSuffix(";base64")
            else {
                throw Missing(code: "malformed-picture", message: "a data: address without base64")
            }
            return try decoded(String(address[address.utf8.index(after: comma)...]), of: "data:")
        }
        if let file = files[address] { return file }
        guard Self.isPlain(address) else {
            throw Missing(
                code: "unsafe-name",
                message: "'\(address.prefix(80))' is not the name of a file beside the document")
        }
        throw Missing(
            code: "missing-picture", message: "there is no file '\(address.prefix(80))'")
    }

    private func decoded(_ text: String, of address: String) throws(Missing) -> [UInt8] {
        guard let bytes = TTMLBase64.bytes(of: text) else {
            throw Missing(
                code: "malformed-picture", message: "'\(address.prefix(60))' is no base64")
        }
        return bytes
    }

    /// Whether a name stays in the folder of the document.
    static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && name.utf8.count <= 255
            && !name.utf8.contains { $0 == 0x2F || $0 == 0x5C || $0 < 0x20 || $0 == 0x3A }
    }

    /// Whether an address names a file.
    static func isFile(_ address: String) -> Bool {
        address.utf8.first != 0x23 && !address.utf8.starts(with: "data:".utf8)
    }
}

/// Base64 of RFC 4648, white space allowed.
package enum TTMLBase64 {
    /// The bytes; `nil` where something else stands in the text.
    package static func bytes(of text: String) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count / 4 * 3)
        var value: UInt32 = 0
        var bits = 0
        var isAtEnd = false
        for byte in text.utf8 {
            if byte.isSpace { continue }
            if byte == 0x3D {
                isAtEnd = true
                continue
            }
            guard !isAtEnd, let digit = digit(byte) else { return nil }
            value = value << 6 | UInt32(digit)
            bits += 6
            if bits >= 8 {
                bits -= 8
                result.append(UInt8(truncatingIfNeeded: value >> UInt32(bits)))
            }
        }
        return result.isEmpty ? nil : result
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x41...0x5A: byte &- 0x41
        case 0x61...0x7A: byte &- 0x61 &+ 26
        case 0x30...0x39: byte &- 0x30 &+ 52
        case 0x2B, 0x2D: 62
        case 0x2F, 0x5F: 63
        default: nil
        }
    }
}

/// The size that a PNG states.
enum TTMLPNGHeader {
    /// Width and height; `nil` for what is no PNG.
    static func size(of bytes: [UInt8]) -> (width: Int, height: Int)? {
        guard bytes.count >= 24,
            bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        else { return nil }
        func number(_ place: Int) -> Int {
            bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        return (number(16), number(20))
    }
}
