internal import UndertextCore

/// A code page of the texts of the GSI block.
///
/// EBU Tech 3264-E, section 4: 437, 850, 860, 863 and 865, which are those of MS-DOS.
struct EBUSTLCodePage {
    /// The characters from 0x80 on.
    private let upper: [Unicode.Scalar]

    /// The code page of a number; 850 for others.
    init(number: Int?) {
        let upper =
            switch number {
            case 437: Self.upper437
            case 860: Self.upper860 + Self.lines437
            case 863: Self.upper863 + Self.lines437
            case 865: Self.upper865 + Self.lines437
            default: Self.upper850
            }
        self.upper = Array(upper.unicodeScalars)
    }

    /// The text of a field without the spaces around it.
    func text(_ bytes: ArraySlice<UInt8>) -> String {
        var text = ""
        for byte in bytes.trimmed where byte >= 0x20 {
            text.unicodeScalars.append(
                byte < 0x80 ? Unicode.Scalar(byte) : upper[Int(byte) - 0x80])
        }
        return text
    }

    /// The bytes of a text; characters that the code page lacks become question marks.
    func bytes(_ text: String) -> [UInt8] {
        text.map { character in
            if let ascii = character.asciiValue, ascii >= 0x20 { return ascii }
            let index = upper.firstIndex { Character($0) == character }
            return index.map { UInt8(truncatingIfNeeded: $0 + 0x80) } ?? UInt8(ascii: "?")
        }
    }

    private static let upper850 =
        "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤"
        + "ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u{AD}±‗¾¶§÷¸°¨·¹³²■\u{A0}"
    private static let upper437 = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»" + lines437
    private static let upper860 = "ÇüéâãàÁçêÊèÍÔìÃÂÉÀÈôõòÚùÌÕÜ¢£Ù₧ÓáíóúñÑªº¿Ò¬½¼¡«»"
    private static let upper863 = "ÇüéâÂà¶çêëèïî‗À§ÉÈÊôËÏûù¤ÔÜ¢£ÙÛƒ¦´óú¨¸³¯Î⌐¬½¼¾«»"
    private static let upper865 = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø₧ƒáíóúñÑªº¿⌐¬½¼¡«¤"
    /// The characters from 0xB0 on: lines, blocks, letters of formulas.
    private static let lines437 =
        "░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀"
        + "αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}"
}
