/// The tags that libavformat knows in `udta` and `ilst`, by the type of their box.
enum MP4TagNames {
    /// The form in which a value of `ilst` is stored.
    enum Form {
        /// Text, or a number as its kind says.
        case text
        /// One byte.
        case byte
        /// The last of four bytes.
        case lastByte
        /// A number and how many there are, two bytes each after the first two.
        case numberOfTotal
    }

    /// A tag.
    struct Tag {
        var name: String
        var form: Form
    }

    /// By type.
    static let names: [String: Tag] = {
        var names: [String: Tag] = [:]
        for (type, name) in texts { names[type] = Tag(name: name, form: .text) }
        for (type, name) in bytes { names[type] = Tag(name: name, form: .byte) }
        for (type, name) in lastBytes { names[type] = Tag(name: name, form: .lastByte) }
        for (type, name) in pairs { names[type] = Tag(name: name, form: .numberOfTotal) }
        return names
    }()

    private static let texts = [
        "©nam": "title", "©ART": "artist", "©alb": "album", "©day": "date", "©gen": "genre",
        "©cmt": "comment", "©wrt": "composer", "©com": "composer", "©too": "encoder",
        "©swr": "encoder", "©cpy": "copyright", "©dir": "director", "©grp": "grouping",
        "©lyr": "lyrics", "©mak": "make", "©mod": "model", "©prd": "producer",
        "©xyz": "location", "©inf": "comment",
        "aART": "album_artist", "cprt": "copyright", "desc": "description", "ldes": "synopsis",
        "keyw": "keywords", "catg": "category", "tvsh": "show", "tven": "episode_id",
        "tvnn": "network", "sonm": "sort_name", "soar": "sort_artist", "soal": "sort_album",
        "soaa": "sort_album_artist", "soco": "sort_composer", "sosn": "sort_show",
        "purd": "purchase_date", "apID": "account_id",
    ]
    private static let bytes = [
        "cpil": "compilation", "pgap": "gapless_playback", "stik": "media_type",
        "hdvd": "hd_video", "pcst": "podcast", "rtng": "rating", "akID": "account_type",
    ]
    private static let lastBytes = ["tves": "episode_sort", "tvsn": "season_number"]
    private static let pairs = ["trkn": "track", "disk": "disc"]
}
