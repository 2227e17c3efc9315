internal import UndertextCore

/// The language and country codes of the GSI block.
///
/// EBU Tech 3264-E, appendix 3, and ISO 3166-1.
enum EBUSTLLanguage {
    /// The language of a code of two hexadecimal digits; `nil` if it is unknown.
    static func tag(code: ArraySlice<UInt8>) -> LanguageTag? {
        tags[code.text.uppercased()].flatMap { LanguageTag($0) }
    }

    /// The code of a language, or of the language that it is a form of; `00` if it has none.
    static func code(of tag: LanguageTag?) -> String {
        guard let tag else { return unknown }
        let language = String(tag.rawValue.prefix { $0 != "-" })
        return codes[tag.rawValue] ?? codes[language] ?? unknown
    }

    /// The code of the country that a language tag names; `nil` if it names none.
    static func country(of tag: LanguageTag?) -> String? {
        let region = tag?.rawValue.split(separator: "-").dropFirst()
            .first { $0.utf8.count == 2 && $0.allSatisfy(\.isUppercase) }
        return region.flatMap { countries[String($0)] }
    }

    private static let unknown = "00"

    private static let tags = Dictionary(
        uniqueKeysWithValues: tableEntries(table).map { (String($0.name), String($0.value)) })

    private static let codes = Dictionary(
        tableEntries(table).map { (String($0.value), String($0.name)) }
    ) { first, _ in first }

    private static let countries = Dictionary(
        uniqueKeysWithValues: tableEntries(countryTable).map {
            (String($0.name), String($0.value))
        })

    private static let table = """
        01=sq 02=br 03=ca 04=hr 05=cy 06=cs 07=da 08=de 09=en 0A=es 0B=eo 0C=et 0D=eu 0E=fo 0F=fr 10=fy
        11=ga 12=gd 13=gl 14=is 15=it 16=se 17=la 18=lv 19=lb 1A=lt 1B=hu 1C=mt 1D=nl 1E=no 1F=oc 20=pl
        21=pt 22=ro 23=rm 24=sr 25=sk 26=sl 27=fi 28=sv 29=tr 2A=nl-BE 2B=wa
        7F=am 7E=ar 7D=hy 7C=as 7B=az 7A=bm 79=be 78=bn 77=bg 76=my 75=zh 74=cv 73=prs 72=ff 71=ka 70=el
        6F=gu 6E=gn 6D=ha 6C=he 6B=hi 6A=id 69=ja 68=kn 67=kk 66=km 65=ko 64=lo 63=mk 62=mg 61=ms 60=ro-MD
        5F=mr 5E=nd 5D=ne 5C=or 5B=pap 5A=fa 59=pa 58=ps 57=qu 56=ru 55=rue 54=sh 53=sn 52=si 51=so 50=srn
        4F=sw 4E=tg 4D=ta 4C=tt 4B=te 4A=th 49=uk 48=ur 47=uz 46=vi 45=zu
        """

    private static let countryTable = """
        AL=ALB AM=ARM AR=ARG AT=AUT AU=AUS AZ=AZE BA=BIH BE=BEL BG=BGR BR=BRA BY=BLR CA=CAN CH=CHE CL=CHL
        CN=CHN CO=COL CY=CYP CZ=CZE DE=DEU DK=DNK DZ=DZA EE=EST EG=EGY ES=ESP FI=FIN FO=FRO FR=FRA GB=GBR
        GE=GEO GR=GRC HK=HKG HR=HRV HU=HUN ID=IDN IE=IRL IL=ISR IN=IND IR=IRN IS=ISL IT=ITA JP=JPN KR=KOR
        KZ=KAZ LT=LTU LU=LUX LV=LVA MA=MAR MD=MDA ME=MNE MK=MKD MT=MLT MX=MEX MY=MYS NL=NLD NO=NOR NZ=NZL
        PE=PER PH=PHL PK=PAK PL=POL PT=PRT RO=ROU RS=SRB RU=RUS SA=SAU SE=SWE SG=SGP SI=SVN SK=SVK TH=THA
        TN=TUN TR=TUR TW=TWN UA=UKR US=USA UZ=UZB VE=VEN VN=VNM ZA=ZAF
        """
}
