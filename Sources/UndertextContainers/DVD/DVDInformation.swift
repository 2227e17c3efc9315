package import UndertextCore

/// The sub-picture attributes in the information file of a DVD's title set (.IFO).
///
/// DVD-Video, part 3, section 4.2 (VTSI) and 4.3 (PGCI).
package struct DVDInformation: Hashable, Sendable {
    /// Sixteen colors as 0, Y, Cr, Cb: the palette of the first program chain that has one.
    package let palette: [UInt8]
    /// `true` if program chains of the set have other palettes.
    package let hasOtherPalettes: Bool
    /// The languages by the number of the sub-picture stream, 0 to 31.
    package let languages: [Int: LanguageTag]
    /// The size of the video.
    package let size: PixelSize

    /// Bytes of an information file at most.
    package static let sizeLimit = 16 << 20

    private static let sector = 2048
    private static let programChains = 100

    /// Reads an information file; `nil` where it is none or holds no palette.
    package init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: "DVDVIDEO-VTS".utf8) else { return nil }
        var palettes: [[UInt8]] = []
        var languages: [Int: LanguageTag] = [:]
        let stated = Self.languages(bytes)
        for offset in Self.programChains(bytes) {
            guard let palette = Self.slice(bytes, offset + 0xA4, 64) else { continue }
            if !palettes.contains(palette), palette.contains(where: { $0 != 0 }) {
                palettes.append(palette)
            }
            for (number, language) in Self.streams(bytes, offset, stated)
            where languages[number] == nil {
                languages[number] = language
            }
        }
        guard let first = palettes.first else { return nil }
        palette = first
        hasOtherPalettes = palettes.count > 1
        self.languages = languages
        size = Self.size(bytes)
    }

    private static func slice(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> [UInt8]? {
        var reader = ByteReader(bytes)
        guard reader.seek(to: offset) else { return nil }
        return reader.slice(count).map { Array($0) }
    }

    /// The offset of the program chains: VTS_PGCITI, whose sector is at 0xCC.
    private static func programChains(_ bytes: [UInt8]) -> [Int] {
        var reader = ByteReader(bytes)
        guard reader.seek(to: 0xCC), let place = reader.uint32(),
            case let start = Int(place) * sector, reader.seek(to: start),
            let count = reader.uint16(), reader.skip(6)
        else { return [] }
        var chains: [Int] = []
        for _ in 0..<min(Int(count), programChains) {
            guard reader.skip(4), let offset = reader.uint32() else { break }
            chains.append(start + Int(offset))
        }
        return chains
    }

    /// The languages of the set's sub-pictures in their logical order: VTS_SPST_ATRT.
    private static func languages(_ bytes: [UInt8]) -> [LanguageTag?] {
        guard let count = slice(bytes, 0x254, 2) else { return [] }
        return (0..<min(32, Int(count[0]) << 8 | Int(count[1]))).map { number in
            guard let attributes = slice(bytes, 0x256 + 6 * number, 6), attributes[0] & 3 == 1
            else { return nil }
            return VobSubLine.language(String(decoding: attributes[2...3], as: UTF8.self))
        }
    }

    /// The numbers of their streams: PGC_SPST_CTL, one for each aspect ratio.
    private static func streams(
        _ bytes: [UInt8], _ chain: Int, _ languages: [LanguageTag?]
    ) -> [(Int, LanguageTag)] {
        var result: [(Int, LanguageTag)] = []
        for (place, language) in languages.enumerated() {
            guard let language, let control = slice(bytes, chain + 0x1C + 4 * place, 4),
                control[0] & 0x80 != 0
            else { continue }
            result += control.map { (Int($0 & 31), language) }
        }
        return result
    }

    /// VTS_V_ATR: the television standard and the size.
    private static func size(_ bytes: [UInt8]) -> PixelSize {
        let attributes = slice(bytes, 0x200, 2) ?? [0, 0]
        let isPAL = attributes[0] >> 4 & 3 == 1
        let full = isPAL ? 576 : 480
        switch attributes[1] >> 2 & 3 {
        case 0: return PixelSize(width: 720, height: full)
        case 1: return PixelSize(width: 704, height: full)
        case 2: return PixelSize(width: 352, height: full)
        default: return PixelSize(width: 352, height: full / 2)
        }
    }
}
