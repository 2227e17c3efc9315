/// The characters of codes 0x20 to 0x7F in Unicode.
///
/// EN 300 706, section 15.6: tables 35 (Latin G0) to 46 (Hebrew G0), and 48 (G3). Positions without a character are
/// spaces.
enum TeletextTables {
    private static let signs = " !\"#$%&'()*+,-./0123456789:;<=>?"

    static let latin = scalars(
        " !\"#¤%&'()*+,-./0123456789:;<=>?", "@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_",
        "`abcdefghijklmnopqrstuvwxyz{|}~■")
    static let cyrillic1 = scalars(
        signs, "ЧАБЦДЕФГХИЈКЛМНОПЌРСТУВЃЉЊЗЋЖЂШЏ", "чабцдефгхијклмнопќрстувѓљњзћжђш■")
    static let cyrillic2 = scalars(
        " !\"#$%ы'()*+,-./0123456789:;<=>?", "ЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЪЗШЭЩЧЫ",
        "юабцдефгхийклмнопярстужвьъзшэщч■")
    static let cyrillic3 = scalars(
        " !\"#$%ї'()*+,-./0123456789:;<=>?", "ЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬІЗШЄЩЧЇ",
        "юабцдефгхийклмнопярстужвьізшєщч■")
    static let greek = scalars(
        " !\"#$%&'()*+,-./0123456789:;«=»?", "ΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡʹΣΤΥΦΧΨΩΪΫάέήί",
        "ΰαβγδεζηθικλμνξοπρςστυφχψωϊϋόύώ■")
    static let hebrew =
        scalars(signs, "@ABCDEFGHIJKLMNOPQRSTUVWXYZ←½→↑#")
        + (0x05D0...0x05EA).compactMap { Unicode.Scalar($0) } + scalars("₪‖¾÷■")

    /// The letters of the forms that the set has; the form follows from the letters around.
    static let arabic =
        scalars(" !\"£$%")
        + scalars(
            of: [0x0649, 0x064A, 0x29, 0x28, 0x2A, 0x2B, 0x060C, 0x2D, 0x2E, 0x2F])
        + scalars("0123456789:")
        + scalars(of: [0x061B, 0x3E, 0x3D, 0x3C, 0x061F])
        + scalars(of: [
            0x0629, 0x0621, 0x0628, 0x0628, 0x062A, 0x062A, 0x0627, 0x0627,
            0x0628, 0x0629, 0x062A, 0x062B, 0x062C, 0x062D, 0x062E, 0x062F,
            0x0630, 0x0631, 0x0632, 0x0633, 0x0634, 0x0635, 0x0636, 0x0637,
            0x0638, 0x0639, 0x063A, 0x062B, 0x062C, 0x062D, 0x062E, 0x0023,
            0x0640, 0x0641, 0x0642, 0x0643, 0x0644, 0x0645, 0x0646, 0x0647,
            0x0648, 0x0649, 0x064A, 0x062B, 0x062C, 0x062D, 0x062E, 0x064A,
            0x0649, 0x0639, 0x063A, 0x0641, 0x0641, 0x0642, 0x0642, 0x0643,
            0x0644, 0x0644, 0x0645, 0x0645, 0x0646, 0x0646, lamAlef.value, 0x25A0,
        ])

    /// The ligature of two letters in one position.
    static let lamAlef: Unicode.Scalar = "\u{FEFB}"

    static let latinG2 = scalars(
        " ¡¢£$¥#§¤‘“«←↑→↓°±²³×µ¶·÷’”»¼½¾¿", diacritics + "―¹®©™♪₠‰∝   ⅛⅜⅝⅞",
        "ΩÆĐªĦ ĲĿŁØŒºÞŦŊŉĸæđðħıĳŀłøœßþŧŋ■")
    static let cyrillicG2 = scalars(
        " ¡¢£ ¥#§ ‘“«←↑→↓°±²³×µ¶·÷’”»¼½¾¿", diacritics + "―¹®©™♪₠‰∝Łłß⅛⅜⅝⅞",
        "DEFGIJKLNQRSUVWZdefgijklnqrsuvwz")
    static let greekG2 = scalars(
        " ab£ehi§:‘“k←↑→↓°±²³×mnp÷’”t¼½¾x", diacritics + "?¹®©™♪₠‰∝ΊΎΏ⅛⅜⅝⅞",
        "CDFGJLQRSUVWYZΆΉcdfgjlqrsuvwyzΈ■")
    static let arabicG2 =
        scalars(of: [
            0x20, 0x0639, 0x0639, 0x0623, 0x0624, 0x0625, 0x0626, 0x0626,
            0x0686, 0x0686, 0x0686, 0x067E, 0x067E, 0x067E, 0x06A4, 0x06A9,
        ]) + scalars(of: Array(0x0660...0x0669))
        + scalars(of: [0x063A, 0x063A, lamAlef.value, 0x0647, 0x0647, 0x0647])
        + scalars("àABCDEFGHIJKLMNOPQRSTUVWXYZëêùî") + scalars(of: [0x0639])
        + scalars("éabcdefghijklmnopqrstuvwxyzâôûç ")

    /// Column 4 of G2.
    private static let diacritics = " `´ˆ˜¯˘˙¨.˚¸_˝˛ˇ"

    static let lineDrawing =
        scalars(of: Array(0x1FB3C...0x1FB40)) + scalars("◣")
        + scalars(of: Array(0x1FB41...0x1FB46)) + scalars(of: [0x1FB68, 0x1FB69, 0x1FB70, 0x2592])
        + scalars(of: Array(0x1FB47...0x1FB4B)) + scalars("◢")
        + scalars(of: Array(0x1FB4C...0x1FB51)) + scalars(of: [0x1FB6A, 0x1FB6B, 0x1FB75, 0x2588])
        + scalars("┷┯┝┥") + scalars(of: Array(0x1FBA4...0x1FBA7))
        + scalars(of: Array(0x1FBA0...0x1FBA3)) + scalars("┿•●○│─┌┐└┘├┤┬┴┼→←↑↓ ")
        + scalars(of: Array(0x1FB52...0x1FB56)) + scalars("◥")
        + scalars(of: Array(0x1FB57...0x1FB5C)) + scalars(of: [0x1FB6C, 0x1FB6D]) + scalars("  ")
        + scalars(of: Array(0x1FB5D...0x1FB61)) + scalars("◤")
        + scalars(of: Array(0x1FB62...0x1FB67)) + scalars(of: [0x1FB6E, 0x1FB6F]) + scalars("  ")

    /// The marks of column 4 of G2 from 0x41 on as combining characters.
    static let marks: [Unicode.Scalar] = scalars(of: [
        0x0300, 0x0301, 0x0302, 0x0303, 0x0304, 0x0306, 0x0307, 0x0308,
        0x0323, 0x030A, 0x0327, 0x0332, 0x030B, 0x0328, 0x030C,
    ])

    /// Letters with marks by what they are canonically equivalent to.
    static let precomposed: [Character: Unicode.Scalar] = {
        let candidates: [UInt32] =
            Array(0x00C0...0x024F) + Array(0x0386...0x03CE) + Array(0x0400...0x045F)
            + Array(0x1E00...0x1EFF)
        return Dictionary(
            scalars(of: candidates).map { (Character($0), $0) }
        ) { first, _ in first }
    }()

    private static func scalars(_ texts: String...) -> [Unicode.Scalar] {
        texts.flatMap(\.unicodeScalars)
    }

    private static func scalars(of values: [UInt32]) -> [Unicode.Scalar] {
        values.compactMap { Unicode.Scalar($0) }
    }
}
