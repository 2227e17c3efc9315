package import UndertextCore

/// A language that text can be recognized in.
package struct RecognitionLanguage: Hashable, Sendable {
    /// The requested language.
    package let tag: LanguageTag
    /// The name in Tesseract, such as `deu` or `chi_sim`.
    package let tesseractName: String

    /// The Debian package with its data.
    package var debianPackage: String {
        "tesseract-ocr-" + tesseractName.split(separator: "_").joined(separator: "-")
    }

    /// Finds the language; `nil` if Tesseract has no data for it.
    ///
    /// The longest known beginning of the tag counts: `pt-BR` is `pt`, `zh-TW` is known itself.
    package init?(_ tag: LanguageTag) {
        var subtags = tag.rawValue.split(separator: "-")
        while !subtags.isEmpty {
            if let name = Self.names[subtags.joined(separator: "-")] {
                self.tag = tag
                tesseractName = name
                return
            }
            subtags.removeLast()
        }
        return nil
    }

    /// Reads `en`, `de+en`, …: BCP 47 tags joined by `+`, the main language first.
    package static func list(
        parsing text: String
    ) throws(UndertextError) -> [RecognitionLanguage] {
        var languages: [RecognitionLanguage] = []
        for word in text.split(separator: "+", omittingEmptySubsequences: false) {
            guard let tag = LanguageTag(String(word)) else {
                throw UndertextError(
                    .invalidValue, "'\(word)' is not a language; use en, de+en or zh-Hans")
            }
            guard let language = RecognitionLanguage(tag) else {
                throw UndertextError(.invalidValue, "Tesseract cannot recognize '\(tag)'")
            }
            if !languages.contains(where: { $0.tesseractName == language.tesseractName }) {
                languages.append(language)
            }
        }
        return languages
    }

    /// All tags with separate data, with Tesseract's names.
    static let names: [String: String] = {
        var names: [String: String] = [:]
        for entry in tableEntries(table) { names[String(entry.name)] = String(entry.value) }
        return names
    }()

    /// The languages that Debian has packages for, without those for old spellings that BCP 47 has
    /// no tag for.
    private static let table = """
        af=afr am=amh ar=ara as=asm az=aze az-Cyrl=aze_cyrl be=bel bg=bul bn=ben bo=bod br=bre
        bs=bos ca=cat ceb=ceb chr=chr cmn=chi_sim cmn-Hant=chi_tra co=cos cs=ces cy=cym
        da=dan de=deu de-Latf=frk dv=div dz=dzo el=ell en=eng enm=enm eo=epo es=spa et=est eu=eus
        fa=fas fi=fin fil=fil fo=fao fr=fra frk=frk frm=frm fy=fry ga=gle gd=gla gl=glg grc=grc
        gu=guj he=heb hi=hin hr=hrv ht=hat hu=hun hy=hye id=ind is=isl it=ita iu=iku ja=jpn
        jv=jav ka=kat kk=kaz km=khm kmr=kmr kn=kan ko=kor ku=kmr ky=kir la=lat lb=ltz lo=lao
        lt=lit lv=lav mi=mri mk=mkd ml=mal mn=mon mr=mar ms=msa mt=mlt my=mya nb=nor ne=nep nl=nld
        nn=nor no=nor oc=oci or=ori pa=pan pl=pol ps=pus pt=por qu=que ro=ron ru=rus sa=san sd=snd
        si=sin sk=slk sl=slv sq=sqi sr=srp sr-Latn=srp_latn su=sun sv=swe sw=swa syr=syr ta=tam
        te=tel tg=tgk th=tha ti=tir tl=fil to=ton tr=tur tt=tat ug=uig uk=ukr ur=urd uz=uzb
        uz-Cyrl=uzb_cyrl vi=vie yi=yid yo=yor yue=chi_tra zh=chi_sim zh-Hans=chi_sim
        zh-Hant=chi_tra zh-HK=chi_tra zh-MO=chi_tra zh-TW=chi_tra
        """
}
