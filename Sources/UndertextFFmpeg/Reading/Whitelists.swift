internal import UndertextCore

/// The formats and protocols that libavformat may open: media and subtitle files, and only the input's
/// protocol.
enum Whitelists {
    /// The permitted demuxers in the form of `format_whitelist`.
    ///
    /// `vobsub` opens the `.sub` beside the `.idx` by itself, so it is only for files whose name
    /// ends in `.idx`.
    static func formats(for input: DemuxInput, allowsPlaylists: Bool) -> String {
        var names = media
        if case .path(let path) = input, path.lowercased().hasSuffix(".idx") {
            names.append("vobsub")
        }
        if allowsPlaylists { names += ["hls", "applehttp", "dash", "concat"] }
        return names.joined(separator: ",")
    }

    /// The permitted protocols in the form of `protocol_whitelist`.
    static func protocols(for input: DemuxInput) -> String {
        switch input {
        case .path, .opened, .source, .stream: return "file"
        case .url(let url):
            switch URI(url).urlScheme {
            case "file": return "file"
            case "ftp": return "ftp,tcp"
            case "rtmp", "rtmps", "rtmpe", "rtmpt": return "rtmp,rtmps,rtmpe,rtmpt,tcp,tls"
            default: return "http,https,tcp,tls"
            }
        }
    }

    /// The containers whose headers describe every stream: no video needs to be decoded.
    static func hasCompleteHeaders(_ formatName: String) -> Bool {
        formatName == "matroska,webm" || formatName.hasPrefix("mov,mp4")
    }

    private static let media = """
        matroska webm mov mp4 m4a 3gp 3g2 mj2 mpegts mpeg mpegvideo avi flv live_flv kux asf asf_o
        ogg wtv mxf gxf rm nut dv nsv ivf obu av1 h264 hevc vvc m4v vc1 vc1test yuv4mpegpipe
        pva ty dhav dxa mtv mlv roq smk bink thp
        mp3 aac ac3 eac3 dts dtshd truehd mlp flac wav w64 caf aiff au amr ape tta wv mpc mpc8
        tak loas oma voc sox
        sup dvbsub dvbtxt srt ass webvtt sami microdvd subviewer subviewer1 scc mcc stl lrc
        jacosub mpl2 mpsub pjs realtext tedcaptions vplayer aqtitle
        """
        .split { $0 == " " || $0 == "\n" }.map(String.init)
}
