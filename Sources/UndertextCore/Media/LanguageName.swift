extension LanguageTag {
    /// The name of the language in that language, as shown in menus: `Deutsch`, `Português (Brasil)`.
    ///
    /// The names are those of Unicode CLDR with an uppercase first letter. A script or region without a name in the
    /// table follows in parentheses. `nil` if the table does not contain the language.
    package var endonym: String? {
        if let name = Self.names[rawValue] { return name }
        // From the longest beginning that has a name: `zh-Hant-HK`, `en-AU`.
        var known = rawValue[...]
        while let hyphen = known.lastIndex(of: "-") {
            known = known[..<hyphen]
            guard let name = Self.names[String(known)] else { continue }
            let rest = rawValue[hyphen...].dropFirst()
            return name.hasSuffix(")") ? "\(name.dropLast()), \(rest))" : "\(name) (\(rest))"
        }
        return nil
    }

    /// Returns `true` if `text` is a well-formed BCP 47 tag (RFC 5646, section 2.1), registered or not.
    ///
    /// ``init(_:)`` accepts more, because containers write languages in many ways.
    package static func isWellFormed(_ text: String) -> Bool {
        var subtags = text.utf8.split(separator: 0x2D, omittingEmptySubsequences: false)
            .map { Array($0) }[...]
        guard text.utf8.count <= 64,
            subtags.allSatisfy({ (1...8).contains($0.count) && $0.allSatisfy(\.isAlphanumeric) })
        else { return false }
        func take(_ isWanted: ([UInt8]) -> Bool) -> Bool {
            guard let first = subtags.first, isWanted(first) else { return false }
            subtags.removeFirst()
            return true
        }
        func isPrivate(_ subtag: [UInt8]) -> Bool { subtag == [0x78] || subtag == [0x58] }
        if !(subtags.first.map(isPrivate) ?? false) {
            guard take({ $0.count >= 2 && $0.allSatisfy(\.isLetter) }) else { return false }
            if text.utf8.prefix(while: { $0 != 0x2D }).count <= 3 {
                for _ in 0..<3 {
                    if !take({ $0.count == 3 && $0.allSatisfy(\.isLetter) }) { break }
                }
            }
            _ = take { $0.count == 4 && $0.allSatisfy(\.isLetter) }
            _ = take {
                $0.count == 2 && $0.allSatisfy(\.isLetter)
                    || $0.count == 3 && $0.allSatisfy { !$0.isLetter }
            }
            while take({ $0.count >= 5 || $0.count == 4 && !$0[0].isLetter }) {}
            while take({ $0.count == 1 && !isPrivate($0) }) {
                guard take({ $0.count >= 2 }) else { return false }
                while take({ $0.count >= 2 }) {}
            }
        }
        guard take(isPrivate) else { return subtags.isEmpty }
        return !subtags.isEmpty
    }

    private static let names: [String: String] = {
        var names: [String: String] = [:]
        for entry in tableEntries(table, separators: ";\n") {
            names[String(entry.name)] = String(entry.value)
        }
        return names
    }()

    private static let table = """
        af=Afrikaans;am=አማርኛ;ar=العربية;as=অসমীয়া;az=Azərbaycan;be=Беларуская;bg=Български;bn=বাংলা
        bo=བོད་སྐད་;br=Brezhoneg;bs=Bosanski;ca=Català;cs=Čeština;cy=Cymraeg;da=Dansk;de=Deutsch
        de-AT=Österreichisches Deutsch;de-CH=Schweizer Hochdeutsch;el=Ελληνικά;en=English
        en-AU=Australian English;en-CA=Canadian English;en-GB=British English;en-US=American English
        eo=Esperanto;es=Español;es-419=Español latinoamericano;es-ES=Español de España
        es-MX=Español de México;et=Eesti;eu=Euskara;fa=فارسی;fi=Suomi;fil=Filipino;fo=Føroyskt
        fr=Français;fr-CA=Français canadien;fr-CH=Français suisse;fy=Frysk;ga=Gaeilge;gd=Gàidhlig
        gl=Galego;gu=ગુજરાતી;ha=Hausa;he=עברית;hi=हिन्दी;hr=Hrvatski;hu=Magyar;hy=Հայերեն
        id=Indonesia;ig=Igbo;is=Íslenska;it=Italiano;ja=日本語;jv=Jawa;ka=ქართული;kk=Қазақ тілі
        km=ខ្មែរ;kn=ಕನ್ನಡ;ko=한국어;ku=Kurdî;ky=Кыргызча;la=Latina;lb=Lëtzebuergesch;lo=ລາວ;lt=Lietuvių
        lv=Latviešu;mi=Māori;mk=Македонски;ml=മലയാളം;mn=Монгол;mr=मराठी;ms=Melayu;mt=Malti;my=မြန်မာ
        nb=Norsk bokmål;ne=नेपाली;nl=Nederlands;nl-BE=Vlaams;nn=Norsk nynorsk;no=Norsk;or=ଓଡ଼ିଆ
        pa=ਪੰਜਾਬੀ;pl=Polski;ps=پښتو;pt=Português;pt-BR=Português (Brasil);pt-PT=Português (Portugal)
        rm=Rumantsch;ro=Română;ru=Русский;se=Davvisámegiella;si=සිංහල;sk=Slovenčina;sl=Slovenščina
        so=Soomaali;sq=Shqip;sr=Српски;sr-Cyrl=Српски (ћирилица);sr-Latn=Srpski (latinica);sv=Svenska
        sw=Kiswahili;ta=தமிழ்;te=తెలుగు;tg=Тоҷикӣ;th=ไทย;tk=Türkmen dili;tl=Filipino;tr=Türkçe
        ug=ئۇيغۇرچە;uk=Українська;ur=اردو;uz=O‘zbek;vi=Tiếng Việt;xh=IsiXhosa;yi=ייִדיש;yo=Èdè Yorùbá
        yue=粵語;zh=中文;zh-CN=简体中文;zh-HK=繁體中文（香港）;zh-Hans=简体中文;zh-Hant=繁體中文
        zh-Hant-HK=繁體中文（香港）;zh-TW=繁體中文;zu=IsiZulu
        """
}
