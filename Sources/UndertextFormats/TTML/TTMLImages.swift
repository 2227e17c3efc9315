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
            guard let text = Base64.text(ofDataURL: address) else {
                throw Missing(code: "malformed-picture", message: "a data: address without base64")
            }
            return try decoded(text, of: "data:")
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

    private func decoded(
        _ text: some StringProtocol, of address: String
    ) throws(Missing) -> [UInt8] {
        guard let bytes = Base64.decoded(text) else {
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
