package import UndertextCore
internal import UndertextPNG

/// A decoded image of a document.
package enum TTMLDrawnImage: Sendable {
    /// The image; `isExact` is `false` if its colors were reduced.
    case decoded(PlacedBitmap, isExact: Bool)
    /// The reason why it could not be decoded.
    case failed(String)

    /// Decodes a PNG file with its top left corner at a position.
    init(_ png: [UInt8], x: Int, y: Int, limits: Limits, budget: PixelBudget) {
        let size = PNGDecoder.size(of: png) ?? (0, 0)
        // One that is too large does not use up what others may cost.
        let isAllowed = max(size.width, size.height) <= limits.canvas
        guard !isAllowed || budget.spend(width: size.width, height: size.height) else {
            self = .failed("the images of the track have more pixels than allowed")
            return
        }
        do throws(PNGError) {
            if let result = try PNGImage.indexed(png, x: x, y: y, limits: limits) {
                self = .decoded(result.image, isExact: result.isExact)
            } else {
                self = .failed("it has no visible pixels")
            }
        } catch {
            self = .failed(error.message)
        }
    }
}

/// The origin of the images of a document.
struct TTMLImageSource {
    private let tree: TTMLTree
    private let files: [String: [UInt8]]

    init(_ tree: TTMLTree, files: [String: [UInt8]]) {
        self.tree = tree
        self.files = files
    }

    /// The reason why an image is missing.
    struct Missing: Error {
        var code: String
        var message: String
    }

    /// The bytes of an image by its address: `#id`, `data:`, or the name of a file beside the document.
    func bytes(of address: String) throws(Missing) -> [UInt8] {
        if address.utf8.first == 0x23 {
            guard let element = tree.data[String(address.dropFirst())] else {
                throw Missing(
                    code: "missing-image", message: "there is no image '\(address.prefix(60))'")
            }
            let chunks = element.children.filter { $0.kind == .data }.map(\.text)
            return try decoded(element.text + chunks.joined(), of: address)
        }
        if address.utf8.starts(with: "data:".utf8) {
            guard let text = Base64.text(ofDataURL: address) else {
                throw Missing(code: "malformed-image", message: "a data: URL without base64")
            }
            return try decoded(text, of: "data:")
        }
        if let file = files[address] { return file }
        guard Self.isPlain(address) else {
            throw Missing(
                code: "unsafe-name",
                message: "'\(address.prefix(80))' is not a plain file name")
        }
        throw Missing(
            code: "missing-image", message: "there is no file '\(address.prefix(80))'")
    }

    private func decoded(
        _ text: some StringProtocol, of address: String
    ) throws(Missing) -> [UInt8] {
        guard let bytes = Base64.decoded(text) else {
            throw Missing(
                code: "malformed-image", message: "'\(address.prefix(60))' is not valid base64")
        }
        return bytes
    }

    /// `true` if a name stays in the folder of the document.
    static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && name.utf8.count <= 255
            && !name.utf8.contains { $0 == 0x2F || $0 == 0x5C || $0 < 0x20 || $0 == 0x3A }
    }

    /// `true` if an address names a file.
    static func isFile(_ address: String) -> Bool {
        address.utf8.first != 0x23 && !address.utf8.starts(with: "data:".utf8)
    }
}
