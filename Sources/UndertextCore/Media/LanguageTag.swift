/// A normalized BCP 47 language tag: the shortest ISO 639 code, `Script`, `REGION`.
///
/// Containers write ISO 639-2 in two spellings (`ger`, `deu`) or BCP 47; all become one value, so
/// that equal languages compare equal and a tag is safe in a file name.
public struct LanguageTag: Hashable, Sendable {
    /// The normalized tag, such as `en`, `pt-BR`, `zh-Hans`: ASCII letters, digits and hyphens.
    public let rawValue: String

    /// Creates a tag from `text`, or `nil` for an undetermined, empty or malformed tag.
    public init?(_ text: String) {
        let subtags = text.utf8.split(
            omittingEmptySubsequences: false, whereSeparator: { $0 == 0x2D || $0 == 0x5F })
        guard let first = subtags.first, text.utf8.count <= 64 else { return nil }
        var parts: [String] = []
        for (position, subtag) in subtags.enumerated() {
            guard (1...8).contains(subtag.count), subtag.allSatisfy(\.isAlphanumeric) else {
                return nil
            }
            let lower = String(decoding: subtag.map(\.lowercased), as: UTF8.self)
            let isPrivate = parts.contains { $0.utf8.count == 1 }
            if position > 0, !isPrivate, subtag.count == 4, subtag.allSatisfy(\.isLetter) {
                parts.append(lower.prefix(1).uppercased() + lower.dropFirst())
            } else if position > 0, !isPrivate, subtag.count == 2 {
                parts.append(lower.uppercased())
            } else {
                parts.append(lower)
            }
        }
        let isPrivateUse = first.count == 1 && parts[0] == "x" && parts.count > 1
        guard isPrivateUse || (first.count >= 2 && first.allSatisfy(\.isLetter)) else { return nil }
        if let short = Self.shortCodes[parts[0]] { parts[0] = short }
        guard parts[0] != "und" else { return nil }
        rawValue = parts.joined(separator: "-")
    }

    /// Returns `true` if `other` is this language or a narrower form of it: `en` covers `en-US`.
    package func covers(_ other: LanguageTag) -> Bool {
        other == self || other.rawValue.hasPrefix(rawValue + "-")
    }

    /// The ISO 639-2 code, bibliographic if there are two (`ger`, `fre`), or `und` if there is none.
    package var threeLetterCode: String {
        let language = rawValue.prefix { $0 != "-" }
        if language.utf8.count == 3 { return String(language) }
        return Self.longCodes[String(language)] ?? "und"
    }

    /// Codes of ISO 639-2/B that differ from 639-2/T, which the table lists beside them.
    private static let bibliographic: Set<Substring> = [
        "alb", "arm", "baq", "bur", "chi", "cze", "dut", "fre", "geo", "ger", "gre", "ice", "mac",
        "mao", "may", "per", "rum", "slo", "tib", "wel",
    ]

    private static let longCodes: [String: String] = {
        var codes: [String: String] = [:]
        for entry in tableEntries(table) {
            let names = entry.value.split(separator: ",")
            codes[String(entry.name)] = (names.first(where: bibliographic.contains) ?? names.first)
                .map(String.init)
        }
        return codes
    }()

    /// The three-letter codes (ISO 639-2/B, /T and 639-3) with their ISO 639-1 equivalent.
    private static let shortCodes: [String: String] = {
        var codes: [String: String] = [:]
        for entry in tableEntries(table) {
            for code in entry.value.split(separator: ",") {
                codes[String(code)] = String(entry.name)
            }
        }
        return codes
    }()

    /// ISO 639-1 codes and the three-letter codes of the same language.
    private static let table = """
        aa=aar ab=abk ae=ave af=afr ak=aka am=amh an=arg ar=ara as=asm av=ava ay=aym az=aze
        ba=bak be=bel bg=bul bh=bih bi=bis bm=bam bn=ben bo=bod,tib br=bre bs=bos ca=cat ce=che
        ch=cha co=cos cr=cre cs=ces,cze cu=chu cv=chv cy=cym,wel da=dan de=deu,ger dv=div dz=dzo
        ee=ewe el=ell,gre en=eng eo=epo es=spa et=est eu=baq,eus fa=fas,per ff=ful fi=fin fj=fij
        fo=fao fr=fra,fre fy=fry ga=gle gd=gla gl=glg gn=grn gu=guj gv=glv ha=hau he=heb hi=hin
        ho=hmo hr=hrv ht=hat hu=hun hy=arm,hye hz=her ia=ina id=ind ie=ile ig=ibo ii=iii ik=ipk
        io=ido is=ice,isl it=ita iu=iku ja=jpn jv=jav ka=geo,kat kg=kon ki=kik kj=kua kk=kaz
        kl=kal km=khm kn=kan ko=kor kr=kau ks=kas ku=kur kv=kom kw=cor ky=kir la=lat lb=ltz
        lg=lug li=lim ln=lin lo=lao lt=lit lu=lub lv=lav mg=mlg mh=mah mi=mao,mri mk=mac,mkd
        ml=mal mn=mon mr=mar ms=may,msa mt=mlt my=bur,mya na=nau nb=nob nd=nde ne=nep ng=ndo
        nl=dut,nld nn=nno no=nor nr=nbl nv=nav ny=nya oc=oci oj=oji om=orm or=ori os=oss pa=pan
        pi=pli pl=pol ps=pus pt=por qu=que rm=roh rn=run ro=ron,rum ru=rus rw=kin sa=san sc=srd
        sd=snd se=sme sg=sag sh=hbs si=sin sk=slk,slo sl=slv sm=smo sn=sna so=som sq=alb,sqi
        sr=srp ss=ssw st=sot su=sun sv=swe sw=swa ta=tam te=tel tg=tgk th=tha ti=tir tk=tuk
        tl=tgl tn=tsn to=ton tr=tur ts=tso tt=tat tw=twi ty=tah ug=uig uk=ukr ur=urd uz=uzb
        ve=ven vi=vie vo=vol wa=wln wo=wol xh=xho yi=yid yo=yor za=zha zh=chi,zho zu=zul
        """
}

extension LanguageTag: ExpressibleByStringLiteral {
    /// Creates a tag from a literal such as `"pt-BR"`; use ``init(_:)``, which may fail, for text known at run time.
    ///
    /// `LanguageTag("en")` is a literal, too, and not optional.
    ///
    /// The literal `"und"` is the undetermined language, for texts such as `track.language ?? "und"`.
    ///
    /// - Precondition: The literal is a well-formed tag.
    public init(stringLiteral text: String) {
        if text == "und" {
            rawValue = text
            return
        }
        guard let tag = LanguageTag(text) else {
            // trap: only a literal in source code comes here, never input.
            preconditionFailure("'\(text)' is not a language tag such as pt-BR")
        }
        self = tag
    }
}

extension LanguageTag: CustomStringConvertible {
    /// The normalized tag.
    public var description: String { rawValue }
}
