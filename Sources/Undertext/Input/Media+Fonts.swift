public import UndertextCore

extension Media {
    /// `true` if the file has attached fonts.
    package var hasFonts: Bool { description.attachments.contains(where: \.isFont) }

    /// The fonts attached to the file, for renderers of its scripts.
    ///
    /// - Parameters:
    ///   - limit: bytes of all of them together; what would exceed it is left out.
    ///   - handler: gets what was left out or cannot be read.
    /// - Returns: the fonts that can be read.
    /// - Throws: `UndertextError` with code `cancelled`.
    public func fonts(
        limit: Int = 512 << 20, diagnostics handler: (Diagnostic) -> Void
    ) throws(UndertextError) -> [AttachedFont] {
        var fonts: [AttachedFont] = []
        var held = 0
        for attachment in description.attachments where attachment.isFont {
            let name = attachment.fileName
            guard attachment.size <= limit - held else {
                handler(
                    Diagnostic(
                        .warning, "font-left-out",
                        "the font \(name) is ignored: the fonts exceed the size limit"))
                continue
            }
            do throws(UndertextError) {
                let bytes = try data(of: attachment)
                held += bytes.count
                fonts.append(AttachedFont(name: name, bytes: bytes))
            } catch {
                if error.code == .cancelled { throw error }
                handler(
                    Diagnostic(
                        .warning, "font-unreadable",
                        "the font \(name) cannot be read: \(error.message)"))
            }
        }
        return fonts
    }
}

extension Attachment {
    /// Extensions of font files, in lower case.
    private static let fontExtensions: Set<String> = [
        "ttf", "otf", "ttc", "otc", "pfb", "pfa", "woff",
    ]

    /// `true` if the attachment's type or name identifies a font.
    var isFont: Bool {
        let type = mimeType.lowercased()
        if ["font", "truetype", "opentype"].contains(where: type.contains) { return true }
        let ending = fileName.utf8.split(separator: UInt8(ascii: ".")).last
        return ending.map {
            Self.fontExtensions.contains(String(decoding: $0, as: UTF8.self).lowercased())
        } ?? false
    }
}
