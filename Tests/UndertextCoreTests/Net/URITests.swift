import Testing
import UndertextCore

@Suite struct URITests {
    /// The examples of RFC 3986, sections 5.4.1 and 5.4.2.
    @Test(
        arguments: [
            ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"), ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"),
            ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"),
            ("g;x?y#s", "http://a/b/c/g;x?y#s"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
            ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
            ("../../g", "http://a/g"), ("../../../g", "http://a/g"),
            ("../../../../g", "http://a/g"),
            ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
            (".g", "http://a/b/c/.g"), ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"),
            ("./../g", "http://a/b/g"), ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"),
            ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
            ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
            ("g?y/../x", "http://a/b/c/g?y/../x"), ("g#s/./x", "http://a/b/c/g#s/./x"),
            ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"),
        ])
    func resolves(_ reference: String, _ expected: String) {
        let base = URI("http://a/b/c/d;p?q")
        #expect(URI(reference).resolved(against: base).description == expected)
        #expect(URI(reference).description == reference)
    }

    /// Addresses composed of relative references are equal in the end.
    @Test(
        arguments: [
            ("../subs/", "x.vtt", "../subs/x.vtt"), ("", "../x", "../x"), ("a/", "../../x", "../x"),
            ("..", "", ".."), ("../", "..", "../../"), ("a/b/", "../c/../../x", "x"),
            ("", "./x:1.vtt", "./x:1.vtt"), ("a/", "..//b", ".//b"), ("/", "..//b/c", "/.//b/c"),
            ("/a/", "../../x", "/x"),
        ])
    func staysRelative(_ base: String, _ reference: String, _ expected: String) {
        let both = URI(reference).resolved(against: URI(base))
        #expect(both.description == expected)
        let outer = URI("http://h/1/2/3/m.mpd")
        #expect(
            URI(both.description).resolved(against: outer)
                == URI(reference).resolved(
                    against: URI(base).resolved(against: outer)))
    }

    @Test(arguments: [
        ("https://example.org/a.mkv", "https"), ("HTTP://h", "http"), ("file:///a", "file"),
        ("s3+x.1-://b", "s3+x.1-"),
        ("http:x.mkv", nil), ("a.mkv", nil), ("concat:a|b", nil), ("/a://b", nil), ("", nil),
        ("://", nil),
        ("1a://b", nil), ("-", nil), ("a?http://b", nil), ("http:#//b", nil), ("é://b", nil),
    ])
    func onlySchemesMakeURLs(_ text: String, _ scheme: String?) {
        #expect(URI(text).urlScheme == scheme)
        #expect(URI(text).isHTTP == ["http", "https"].contains(scheme))
    }

    @Test(arguments: [
        ("example.org", nil, "example.org", nil), ("u:p@h:80", "u:p", "h", "80"),
        ("a@b@h", "a@b", "h", nil),
        ("[::1]:8080", nil, "[::1]", "8080"), ("h:", nil, "h", ""), ("", nil, "", nil),
        ("@", "", "", nil),
    ])
    func authorities(_ text: String, _ user: Substring?, _ host: Substring, _ port: Substring?) {
        let parts = URI.Authority(text)
        #expect(parts?.user == user && parts?.host == host && parts?.port == port)
    }

    @Test(arguments: ["h:8a", "a:b:c", "[::1", "[::1]x", "[::1]:-1", "h:+1", "u@h:p"])
    func noAuthorities(_ text: String) { #expect(URI.Authority(text) == nil) }

    @Test func credentials() {
        #expect(URI("https://u:p@h:1/a@b").withoutCredentials.description == "https://h:1/a@b")
        #expect(URI("https://u@h/").hasCredentials)
        #expect(!URI("https://h/a@b").hasCredentials)
        #expect(URI("http://EXAMPLE.org.:80/").host?.text == "example.org")
        #expect(URI("http://[::1]/").host?.isPrivate == true)
        #expect(URI("a/b").host == nil)
    }

    @Test func escapes() {
        #expect(URI.escaped("a b/ä~") == "a%20b%2F%C3%A4~")
        #expect(URI.escaped("a b") { $0 == 0x20 } == "%61 %62")
        #expect(URI.repaired(" a b\u{e9}%41\n") == "a%20b%C3%A9%41")
        for text in ["", "plain", "a%20b/%C3%A4", "100%", "%4", "%zz%2", "%+1", "%%41"] {
            let isWhole = !["100%", "%4", "%zz%2", "%+1", "%%41"].contains(text)
            #expect((URI.strictlyUnescaped(text) == nil) != isWhole)
        }
        #expect(URI.unescaped("a%20b%2f%C3%A4%%41%zz%4") == "a b/ä%A%zz%4")
        #expect(URI.strictlyUnescaped("%FF") == nil)
        #expect(URI.unescaped("%FF") == "\u{FFFD}")
    }

    @Test func files() {
        #expect(URI("https://h/a/b%20c.srt?x#y").fileName == "b c.srt")
        #expect(URI("https://h/a%2Fb/").fileName == "b")
        #expect(URI("https://h").fileName.isEmpty)
        let path = "/a b/100%/ä?#.m3u8"
        let uri = URI(filePath: path)
        #expect(uri.description == "file:///a%20b/100%25/%C3%A4%3F%23.m3u8")
        #expect(uri.filePath == path)
        for text in [
            "http://x/y", "file://host/y", "file:y", "file:///a%2Fb", "file:///%2e%2E/b",
            "file:///a%00",
            "file:///%4", "/a",
        ] {
            #expect(URI(text).filePath == nil)
        }
        #expect(URI.literalPath(ofFileURL: "FILE:///a%20b?c") == "/a%20b?c")
        #expect(URI.literalPath(ofFileURL: "file:/a") == nil)
        for (url, folder, expected) in [
            ("file:///a/b/m.m3u8", "/a/b/out", "../m.m3u8"),
            ("file:///a/b/m.m3u8", "/a/b", "m.m3u8"),
            ("file:///a/b/c/m.m3u8?x=1", "/a/out put", "../b/c/m.m3u8?x=1"),
            ("file:///x.m3u8", "/a/b", "../../x.m3u8"),
            ("file:///a/x:y.m3u8", "/a", "./x:y.m3u8"), ("http://h/x", "/a", "http://h/x"),
        ] {
            #expect(URI(url).relative(toFolder: folder).description == expected)
        }
    }
}
