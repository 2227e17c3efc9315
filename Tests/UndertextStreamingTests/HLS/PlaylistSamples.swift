import TestSupport
import UndertextCore
import UndertextStreaming

/// Playlists of our own for several tests.
enum PlaylistSamples {
    static let master = """
        #EXTM3U
        #EXT-X-VERSION:6
        ## a comment
        #EXT-X-INDEPENDENT-SEGMENTS
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="lo",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="2",URI="a/en-lo.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="lo",NAME="Français",LANGUAGE="fr",AUTOSELECT=YES,CHANNELS="2",URI="a/fr-lo.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="hi",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,CHANNELS="6/JOC",URI="a/en-hi.m3u8"
        #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="hi",NAME="Français",LANGUAGE="fr",AUTOSELECT=YES,CHANNELS="6",URI="a/fr-hi.m3u8"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="text",NAME="English, SDH",LANGUAGE="en",AUTOSELECT=YES,CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound",URI="t/en.m3u8"
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="text",NAME="Forced",LANGUAGE="en",AUTOSELECT=YES,FORCED=YES,URI="t/forced.m3u8"
        #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="cc",NAME="CC",LANGUAGE="en",INSTREAM-ID="CC1"
        #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="cc",NAME="CEA-708",LANGUAGE="es",INSTREAM-ID="SERVICE2"
        #EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI="skd://x",KEYFORMAT="com.apple.streamingkeydelivery",KEYFORMATVERSIONS="1"
        #EXT-X-SESSION-DATA:DATA-ID="com.example.title",VALUE="A title"

        #EXT-X-STREAM-INF:BANDWIDTH=800000,AVERAGE-BANDWIDTH=700000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=640x360,FRAME-RATE=29.970,AUDIO="lo",SUBTITLES="text",CLOSED-CAPTIONS="cc"
        v/360.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=4000000,CODECS="avc1.640028,ec-3",RESOLUTION=1920x1080,FRAME-RATE=29.970,AUDIO="hi",SUBTITLES="text",CLOSED-CAPTIONS="cc"
        v/1080.m3u8
        #EXT-X-STREAM-INF:BANDWIDTH=6000000,CODECS="hvc1.2.4.L123.B0,ec-3",RESOLUTION=1920x1080,VIDEO-RANGE=PQ,AUDIO="hi",SUBTITLES="text",X-OWN="a, b"
        v/1080-hdr.m3u8
        #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=200000,CODECS="avc1.64001f",RESOLUTION=640x360,URI="v/360-i.m3u8"

        """

    static let media = """
        #EXTM3U
        #EXT-X-TARGETDURATION:10
        #EXT-X-VERSION:7
        #EXT-X-MEDIA-SEQUENCE:2680
        #EXT-X-DISCONTINUITY-SEQUENCE:4
        #EXT-X-PLAYLIST-TYPE:EVENT
        #EXT-X-MAP:URI="init.mp4",BYTERANGE="720@0"
        #EXT-X-PROGRAM-DATE-TIME:2010-02-19T14:54:23.031+08:00
        #EXTINF:9.009,first, with a comma
        #EXT-X-BYTERANGE:75232@720
        main.mp4
        #EXT-X-BYTERANGE:82112
        #EXTINF:10,
        main.mp4
        #EXT-X-KEY:METHOD=AES-128,URI="https://example.com/key",IV=0x1
        #EXT-X-DISCONTINUITY
        #EXT-X-GAP
        #EXT-X-UNKNOWN-TAG:whatever
        #EXTINF:3.003
        other.ts
        #EXT-X-KEY:METHOD=NONE
        #EXTINF:4.5,
        last.ts
        #EXT-X-ENDLIST
        """

    static func master(_ text: String, url: String = "") throws -> MasterPlaylist {
        try MasterPlaylist(PlaylistText(Array(text.utf8)), url: url)
    }

    static func media(_ text: String, url: String = "", imports: [String: String] = [:]) throws
        -> MediaPlaylist
    {
        try MediaPlaylist(PlaylistText(Array(text.utf8)), url: url, imports: imports)
    }

    /// A playlist of random lines and line ends, most of which mean something.
    static func random(_ generator: inout SeededGenerator) -> [UInt8] {
        let lines: [String] =
            (master + "\n" + media).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
            + [
                "", " ", "\t#EXTINF:1,", "#EXT-X-STREAM-INF:A=\"x,B=1", "#EXT", "#comment", "=,=",
                "a b",
            ]
        let ends = ["\n", "\r\n", "\n\n", "\r\r\n"]
        var text = Bool.random(using: &generator) ? "#EXTM3U" : "\u{FEFF}#EXTM3U \t"
        text += ends.randomElement(using: &generator) ?? ""
        for _ in 0..<Int.random(in: 0..<40, using: &generator) {
            text += lines.randomElement(using: &generator) ?? ""
            text += ends.randomElement(using: &generator) ?? ""
        }
        text += Bool.random(using: &generator) ? "last" : ""
        return Array(text.utf8)
    }
}
