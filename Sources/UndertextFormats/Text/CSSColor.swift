package import UndertextCore

/// Colors as HTML and CSS authors write them.
package enum CSSColor {
    /// The color of `#RGB`, `#RGBA`, `#RRGGBB`, `#RRGGBBAA`, the last two also without `#`, of `rgb()`,
    /// `rgba()`, or of a name of CSS.
    ///
    /// CSS Color Module Level 4, sections 5.1, 5.2 and 6.1; SubRip authors leave the `#` away.
    package static func parse(_ text: ArraySlice<UInt8>) -> RGBA? {
        let value = text.trimmed
        if value.first == 0x23 { return hexadecimal(value.dropFirst()) }
        if value.last == 0x29 { return function(value) }
        guard value.count <= 20 else { return nil }
        if let color = named[String(decoding: value.map(\.lowercased), as: UTF8.self)] {
            return color
        }
        return value.count == 6 || value.count == 8 ? hexadecimal(value) : nil
    }

    private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> RGBA? {
        var value: UInt32 = 0
        guard digits.count <= 8 else { return nil }
        for byte in digits {
            guard let digit = byte.hexValue else { return nil }
            value = value << 4 | UInt32(digit)
        }
        switch digits.count {
        case 3: return RGBA(rawValue: doubled(value << 4 | 15))
        case 4: return RGBA(rawValue: doubled(value))
        case 6: return RGBA(rawValue: value << 8 | 255)
        case 8: return RGBA(rawValue: value)
        default: return nil
        }
    }

    /// Four digits as eight: each is repeated.
    private static func doubled(_ digits: UInt32) -> UInt32 {
        [12, 8, 4, 0].reduce(0) { $0 << 8 | (digits >> $1 & 15) * 17 }
    }

    /// `rgb(255, 0, 0)`, `rgba(255, 0, 0, 0.5)`, `rgb(100% 0% 0% / 50%)`: parts beyond their range are
    /// those at its ends.
    private static func function(_ value: ArraySlice<UInt8>) -> RGBA? {
        guard value.count <= 64, let open = value.firstIndex(of: 0x28),
            value[..<open].equalsIgnoringCase("rgb") || value[..<open].equalsIgnoringCase("rgba")
        else { return nil }
        let words = value[(open + 1)...].dropLast().split { $0 == 0x2C || $0 == 0x2F || $0.isSpace }
        guard (3...4).contains(words.count) else { return nil }
        var parts: [UInt8] = []
        for (index, word) in words.enumerated() {
            guard let number = word.leadingNumber else { return nil }
            let most = word.last == 0x25 ? 100.0 : index == 3 ? 1 : 255
            parts.append(UInt8((min(max(number / most, 0), 1) * 255).rounded()))
        }
        return RGBA(
            red: parts[0], green: parts[1], blue: parts[2], alpha: parts.count == 4 ? parts[3] : 255
        )
    }

    /// The colors by name, opaque except for `transparent`.
    private static let named: [String: RGBA] = {
        var colors: [String: RGBA] = ["transparent": .clear]
        for entry in tableEntries(table) {
            guard let value = UInt32(entry.value, radix: 16) else { continue }
            colors[String(entry.name)] = RGBA(rawValue: value << 8 | 255)
        }
        return colors
    }()

    private static let table = """
        aliceblue=f0f8ff antiquewhite=faebd7 aqua=00ffff aquamarine=7fffd4 azure=f0ffff
        beige=f5f5dc bisque=ffe4c4 black=000000 blanchedalmond=ffebcd blue=0000ff
        blueviolet=8a2be2 brown=a52a2a burlywood=deb887 cadetblue=5f9ea0 chartreuse=7fff00
        chocolate=d2691e coral=ff7f50 cornflowerblue=6495ed cornsilk=fff8dc crimson=dc143c
        cyan=00ffff darkblue=00008b darkcyan=008b8b darkgoldenrod=b8860b darkgray=a9a9a9
        darkgreen=006400 darkgrey=a9a9a9 darkkhaki=bdb76b darkmagenta=8b008b
        darkolivegreen=556b2f darkorange=ff8c00 darkorchid=9932cc darkred=8b0000
        darksalmon=e9967a darkseagreen=8fbc8f darkslateblue=483d8b darkslategray=2f4f4f
        darkslategrey=2f4f4f darkturquoise=00ced1 darkviolet=9400d3 deeppink=ff1493
        deepskyblue=00bfff dimgray=696969 dimgrey=696969 dodgerblue=1e90ff firebrick=b22222
        floralwhite=fffaf0 forestgreen=228b22 fuchsia=ff00ff gainsboro=dcdcdc ghostwhite=f8f8ff
        gold=ffd700 goldenrod=daa520 gray=808080 green=008000 greenyellow=adff2f gray=808080
        honeydew=f0fff0 hotpink=ff69b4 indianred=cd5c5c indigo=4b0082 ivory=fffff0 khaki=f0e68c
        lavender=e6e6fa lavenderblush=fff0f5 lawngreen=7cfc00 lemonchiffon=fffacd
        lightblue=add8e6 lightcoral=f08080 lightcyan=e0ffff lightgoldenrodyellow=fafad2
        lightgray=d3d3d3 lightgreen=90ee90 lightgrey=d3d3d3 lightpink=ffb6c1 lightsalmon=ffa07a
        lightseagreen=20b2aa lightskyblue=87cefa lightslategray=778899 lightslategrey=778899
        lightsteelblue=b0c4de lightyellow=ffffe0 lime=00ff00 limegreen=32cd32 linen=faf0e6
        magenta=ff00ff maroon=800000 mediumaquamarine=66cdaa mediumblue=0000cd
        mediumorchid=ba55d3 mediumpurple=9370db mediumseagreen=3cb371 mediumslateblue=7b68ee
        mediumspringgreen=00fa9a mediumturquoise=48d1cc mediumvioletred=c71585
        midnightblue=191970 mintcream=f5fffa mistyrose=ffe4e1 moccasin=ffe4b5 navajowhite=ffdead
        navy=000080 oldlace=fdf5e6 olive=808000 olivedrab=6b8e23 orange=ffa500 orangered=ff4500
        orchid=da70d6 palegoldenrod=eee8aa palegreen=98fb98 paleturquoise=afeeee
        palevioletred=db7093 papayawhip=ffefd5 peachpuff=ffdab9 peru=cd853f pink=ffc0cb
        plum=dda0dd powderblue=b0e0e6 purple=800080 rebeccapurple=663399 red=ff0000
        rosybrown=bc8f8f royalblue=4169e1 saddlebrown=8b4513 salmon=fa8072 sandybrown=f4a460
        seagreen=2e8b57 seashell=fff5ee sienna=a0522d silver=c0c0c0 skyblue=87ceeb
        slateblue=6a5acd slategray=708090 slategrey=708090 snow=fffafa springgreen=00ff7f
        steelblue=4682b4 tan=d2b48c teal=008080 thistle=d8bfd8 tomato=ff6347 turquoise=40e0d0
        violet=ee82ee wheat=f5deb3 white=ffffff whitesmoke=f5f5f5 yellow=ffff00
        yellowgreen=9acd32
        """
}

extension RGBA {
    /// `rrggbb`, or `rrggbbaa` if the color is not opaque.
    var hexadecimal: String {
        alpha == 255
            ? zeroPadded(rawValue >> 8, to: 6, radix: 16) : zeroPadded(rawValue, to: 8, radix: 16)
    }
}
