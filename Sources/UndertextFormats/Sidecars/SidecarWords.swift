internal import UndertextCore

/// The words that names of subtitle files are made of.
enum SidecarWords {
    /// The meaning of a word that is no language.
    enum Flag {
        case forced
        case hearingImpaired
        case hindiOrHearingImpaired
        case `default`
        case commentary
    }

    /// Longest word or group of words in bytes that is looked up.
    static let lengthLimit = 64

    /// A word as the tables have it: lower case, one space between words.
    static func key(_ text: ArraySlice<UInt8>) -> String {
        var key: [UInt8] = []
        key.reserveCapacity(text.count)
        for byte in text {
            if byte.isNameSeparator || byte.opensBracket || byte.closesBracket {
                if !key.isEmpty, key.last != 0x20 { key.append(0x20) }
            } else {
                key.append(byte.lowercased)
            }
        }
        if key.last == 0x20 { key.removeLast() }
        return String(decoding: key, as: UTF8.self)
    }

    /// Flags by their key.
    static let flags: [String: Flag] = [
        "forced": .forced, "foreign": .forced,
        "sdh": .hearingImpaired, "cc": .hearingImpaired, "hearing impaired": .hearingImpaired,
        "closed captions": .hearingImpaired,
        "hi": .hindiOrHearingImpaired,
        "default": .default,
        "commentary": .commentary,
    ]

    /// The language of an English name.
    static func language(named key: String) -> LanguageTag? { names[key] }

    /// The language of a code that is known to be one: ISO 639-1, 639-2/B, 639-2/T and frequent ones
    /// of 639-3, with script and region.
    static func code(_ text: ArraySlice<UInt8>) -> LanguageTag? {
        guard (2...lengthLimit).contains(text.count),
            let tag = LanguageTag(String(decoding: text, as: UTF8.self))
        else { return nil }
        let subtags = tag.rawValue.split(separator: "-")
        guard let primary = subtags.first else { return nil }
        switch primary.utf8.count {
        case 2 where tag.threeLetterCode != "und": break
        case 3 where longCodes.contains(primary): break
        default: return nil
        }
        let areKnown = subtags.dropFirst().allSatisfy { subtag in
            switch subtag.utf8.count {
            case 2: subtag.utf8.allSatisfy { !$0.isDigit }
            case 3: subtag.utf8.allSatisfy(\.isDigit)
            case 4: scripts.contains(subtag)
            default: false
            }
        }
        return areKnown ? tag : nil
    }

    /// A language tag in the spelling that extraction writes, registered or not.
    static func tagAsWritten(_ text: ArraySlice<UInt8>) -> LanguageTag? {
        guard text.count <= lengthLimit,
            text.prefix(while: { $0 != UInt8(ascii: "-") }).count <= 3
        else { return nil }
        let text = String(decoding: text, as: UTF8.self)
        guard let tag = LanguageTag(text), tag.rawValue == text else { return nil }
        return tag
    }

    private static func words(_ text: String) -> Set<Substring> {
        Set(text.split(whereSeparator: { $0 == " " || $0 == "\n" }))
    }

    /// Codes of languages without a two-letter code.
    private static let longCodes = words(
        """
        acm apc arz ary ast bho ceb chr ckb cmn cnr crh csb dsb enm fil fro gan goh grc gsw hak
        haw hmn hsb kab kmr kok ksh ltg lzh mai mis mni mul nan nap nds pap pes prs rue scn sco
        sgs srn swg syr szl tet tlh tpi tzm uzn vec wuu yue zsm zxx
        """)

    /// Scripts of ISO 15924 that language tags name.
    private static let scripts = words(
        """
        Adlm Arab Armn Beng Bopo Cans Cher Copt Cyrl Deva Ethi Geor Goth Grek Gujr Guru Hang Hani
        Hans Hant Hebr Hira Hrkt Jpan Kana Khmr Knda Kore Laoo Latf Latg Latn Mlym Mong Mymr Nkoo
        Olck Orya Sinh Syrc Taml Telu Tfng Thaa Thai Tibt
        """)

    /// English names by their key.
    private static let names: [String: LanguageTag] = {
        var names: [String: LanguageTag] = [:]
        for entry in tableEntries(table, separators: ",\n") {
            guard let tag = LanguageTag(String(entry.value)) else { continue }
            names[entry.name.drop(while: { $0 == " " }).lowercased()] = tag
        }
        return names
    }()

    private static let table = """
        afrikaans=af, albanian=sq, amharic=am, arabic=ar, armenian=hy, assamese=as, azerbaijani=az
        basque=eu, belarusian=be, bengali=bn, bangla=bn, bosnian=bs, breton=br, bulgarian=bg
        burmese=my, cantonese=yue, castilian=es-ES, catalan=ca, cebuano=ceb, chinese=zh
        croatian=hr, czech=cs, danish=da, dutch=nl, flemish=nl-BE, english=en, esperanto=eo
        estonian=et, faroese=fo, farsi=fa, persian=fa, filipino=fil, finnish=fi, french=fr
        galician=gl, georgian=ka, german=de, greek=el, gujarati=gu, hausa=ha, hawaiian=haw
        hebrew=he, hindi=hi, hungarian=hu, icelandic=is, indonesian=id, irish=ga, italian=it
        japanese=ja, javanese=jv, kannada=kn, kazakh=kk, khmer=km, klingon=tlh, korean=ko
        kurdish=ku, kyrgyz=ky, lao=lo, latin=la, latvian=lv, lithuanian=lt, luxembourgish=lb
        macedonian=mk, malagasy=mg, malay=ms, malayalam=ml, maltese=mt, mandarin=cmn, maori=mi
        marathi=mr, mongolian=mn, montenegrin=cnr, nepali=ne, norwegian=no, norwegian bokmal=nb
        bokmal=nb, nynorsk=nn, norwegian nynorsk=nn, occitan=oc, oriya=or, odia=or, pashto=ps
        polish=pl, portuguese=pt, punjabi=pa, romanian=ro, russian=ru, sanskrit=sa, serbian=sr
        sinhala=si, sinhalese=si, slovak=sk, slovenian=sl, slovene=sl, somali=so, spanish=es
        sundanese=su, swahili=sw, swedish=sv, tagalog=tl, tajik=tg, tamil=ta, tatar=tt, telugu=te
        thai=th, tibetan=bo, turkish=tr, turkmen=tk, ukrainian=uk, urdu=ur, uyghur=ug, uzbek=uz
        vietnamese=vi, welsh=cy, xhosa=xh, yiddish=yi, yoruba=yo, zulu=zu
        brazilian=pt-BR, portuguese brazil=pt-BR, portuguese brazilian=pt-BR
        brazilian portuguese=pt-BR, portuguese portugal=pt-PT, european portuguese=pt-PT
        spanish latin america=es-419, spanish latin american=es-419, latin american spanish=es-419
        spanish spain=es-ES, european spanish=es-ES, spanish mexico=es-MX, mexican spanish=es-MX
        french canada=fr-CA, french canadian=fr-CA, canadian french=fr-CA, french france=fr-FR
        chinese simplified=zh-Hans, simplified chinese=zh-Hans, chinese traditional=zh-Hant
        traditional chinese=zh-Hant, english uk=en-GB, british english=en-GB
        american english=en-US
        """
}
