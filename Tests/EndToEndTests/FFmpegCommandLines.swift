/// Command lines of ffmpeg in the forms that media servers, their add-ons and scripts write.
///
/// Those of Jellyfin and Bazarr follow their source code, with the stream numbers of the fixture; the others are usual forms. `IN`
/// is the input; a word that begins with `OUT` is an output.
enum FFmpegCommandLines {
    struct Line: Sendable, CustomStringConvertible {
        var source: String
        var text: String
        /// `true` if Undertext does it for a Matroska file with SubRip, ASS and PGS tracks.
        var isOurs: Bool
        var description: String { "\(source): \(text)" }

        init(_ source: String, _ text: String, isOurs: Bool = true) {
            (self.source, self.text, self.isOurs) = (source, text, isOurs)
        }
    }

    /// Extractions and conversions of subtitles.
    static let extractions = [
        Line(
            "Jellyfin ExtractTextSubtitleInternal",
            "-i file:IN -copyts -map 0:2 -an -vn -c:s copy OUT.srt"),
        Line(
            "Jellyfin ExtractTextSubtitleInternal",
            "-i file:IN -copyts -map 0:6 -an -vn -c:s copy OUT.ass"),
        Line(
            "Jellyfin ExtractTextSubtitleInternal",
            "-i file:IN -copyts -map 0:6 -an -vn -c:s srt OUT.srt"),
        Line(
            "Jellyfin ExtractAllExtractableSubtitlesInternal",
            "-i file:IN -copyts -map 0:2 -an -vn -c:s copy OUT1.srt -map 0:3 -an -vn -c:s copy OUT2.srt "
                + "-map 0:6 -an -vn -c:s copy OUT3.ass"),
        Line(
            "Jellyfin with PGS",
            "-i file:IN -copyts -map 0:7 -an -vn -c:s copy OUT1.sup -map 0:2 -an -vn -c:s copy OUT2.srt"
        ),
        Line(
            "Jellyfin -flush_packets",
            "-i file:IN -map 0:2 -an -vn -c:s copy -flush_packets 1 OUT1.srt "
                + "-map 0:6 -an -vn -c:s copy -flush_packets 1 OUT2.ass"),
        Line("Jellyfin ConvertTextSubtitleToSrtInternal", "-i IN -c:s srt OUT.srt"),
        Line(
            "Jellyfin ConvertTextSubtitleToSrtInternal, charset",
            "-sub_charenc UTF-8 -i IN -c:s srt OUT.srt", isOurs: false),
        Line("a script", "-i file:IN -map 0:2 -an -vn -c:s srt OUT.srt"),
        Line("a script", "-i IN -map 0:6 -an -vn -c:s ass OUT.ass"),
        Line(
            "a script",
            "-nostdin -hide_banner -y -i IN -map 0:2 -an -vn -c:s srt -flush_packets 1 OUT.srt"),
        Line(
            "a Jellyfin companion script",
            "-analyzeduration 200M -probesize 1000M -i IN -copyts -map 0:2 -an -vn -c:s copy OUT.srt"
        ),
        Line(
            "Bazarr, fese extract_subtitles",
            "-v quiet -stats -y -i IN -map 0:2 -f srt OUT1.srt -map 0:6 -f srt OUT2.srt"),
        Line(
            "Bazarr, fese copy_subtitles",
            "-v quiet -stats -y -i IN -map 0:2 -c:s copy -f srt OUT1.srt -map 0:6 -c:s copy -f ass OUT2.ass "
                + "-map 0:7 -c:s copy -f sup OUT3.sup"),
        Line("a subtitle script", "-y -i IN -map 0:s:0 -c:s srt OUT.srt"),
        Line("a normalizer", "-hide_banner -loglevel error -y -i IN -map 0:s:0 -c:s srt OUT.srt"),
        Line("a dubbing script", "-nostdin -y -v warning -i IN -map 0:2 -c:s srt OUT.srt"),
        Line("a PHP media manager", "-y -i IN -map 0:3 -c:s srt OUT.srt"),
        Line("a player's subtitle loader", "-y -v quiet -i IN -map 0:4 -c:s srt OUT.srt"),
        Line("vdr-rectools", "-y -i IN -an -vn -c:s srt OUT.srt"),
        Line("a shell alias", "-nostdin -hide_banner -loglevel quiet -i IN -map 0:2 OUT.vtt"),
        Line("a Node script", "-i IN -map 0:s:0 OUT.srt"),
        Line("an answer with ass", "-i IN -map 0:s:0 -y OUT.srt"),
        Line("a PHP video site", "-i IN -map 0:6 -y OUT.ass"),
        Line("a review tool", "-y -i IN -map 0:s:0 -f srt OUT.srt"),
        Line("an upload script", "-i IN -map 0:s:0? -c:s srt OUT.srt -y"),
        Line("a batch file", "-i IN -vn -an -codec:s:0 srt OUT.srt"),
        Line("an answer", "-i IN -vn -an -codec:s srt OUT.srt"),
        Line("an encoder script", "-i IN -vn -an -codec:s:0 srt -y OUT.srt"),
        Line("a shell function", "-i IN -map 0:2 -c:s subrip OUT.srt"),
        Line("a shell function", "-i IN -map 0:s:0 -codec:s text OUT.srt", isOurs: false),
        Line("an extractor", "-i IN -an -vn -map 0:3 -c:s:0 srt OUT.srt"),
        Line("an extractor", "-i IN -an -vn -c:s:0 srt OUT.srt"),
        Line("notes", "-i IN -an -vn -scodec copy OUT.srt"),
        Line("notes", "-i IN -map 0:s:m:language:eng OUT.srt", isOurs: false),
        Line("a script", "-i IN -map 0:s:0 -f srt -"),
        Line("a script", "-loglevel error -i IN -map 0:s:1 -f webvtt pipe:1"),
        Line("a script", "-hide_banner -i IN -map 0:s:0 -c:s webvtt -f webvtt OUT.vtt"),
        Line("a script", "-nostdin -loglevel panic -i IN -map 0:s:4 -c copy OUT.ass"),
        Line("a script", "-y -hide_banner -nostats -i IN -map 0:7 -c copy OUT.sup"),
        Line(
            "a script", "-i IN -map_metadata -1 -map_chapters -1 -map 0:2 -c:s copy OUT.srt"),
        Line("a script", "-i IN -threads 1 -map 0:s:2 OUT.srt"),
        Line("a script", "-y -i IN -ac 1 -ar 16000 -vn -loglevel error OUT.wav", isOurs: false),
    ]

    /// Command lines that only ffmpeg can do, or whose errors are its own.
    static let others = [
        "", "-version", "-encoders", "-h", "-h full", "-buildconf", "-hwaccels", "-filters",
        "-protocols",
        "-h encoder=libx264", "-i IN", "-hide_banner -i IN", "IN", "-i", "-y", "OUT.srt",
        "-i IN -map", "-i IN -c:s",
        "-i IN OUT.mkv", "-i IN -c copy OUT.mkv", "-i IN -map 0 OUT.srt", "-i IN -map 0:v OUT.srt",
        "-i IN -map 0:s -map 0:a OUT.srt", "-i IN -map 0:2 -map 0:3 OUT.srt",
        "-i IN -map 1:0 OUT.srt",
        "-i IN -map 0:-1 OUT.srt", "-i IN -map -0:2 OUT.srt", "-i IN -map 0:2:1 OUT.srt",
        "-i IN -map 0:99 OUT.srt",
        "-i IN -map 0:s:99 OUT.srt", "-i IN -map [out] OUT.srt", "-i IN -map 0:p:1 OUT.srt",
        "-i IN -map 0:i:2 OUT.srt",
        "-i IN -map 0:0 -c:s copy OUT.srt", "-i IN -map 0:6 -c:s copy OUT.srt",
        "-i IN -map 0:7 OUT.srt",
        "-i IN -map 0:2 -c:s copy OUT.sup", "-i IN -map 0:2 -c:s copy OUT.ass",
        "-i IN -map 0:2 OUT.ass",
        "-i IN -map 0:2 -c:s mov_text OUT.mp4", "-i IN -map 0:2 -c:s dvbsub OUT.ts",
        "-i IN -map 0:2 OUT.txt",
        "-i IN -map 0:2 OUT", "-i IN -map 0:2 -f ttml OUT.srt", "-i IN -map 0:2 -f null -",
        "-i IN -sn OUT.srt",
        "-ss 10 -i IN -map 0:2 OUT.srt", "-i IN -ss 10 -map 0:2 OUT.srt",
        "-i IN -t 5 -map 0:2 OUT.srt",
        "-i IN -to 00:00:10 -map 0:2 OUT.srt", "-itsoffset 2 -i IN -map 0:2 OUT.srt",
        "-i IN -fs 1000 -map 0:2 OUT.srt",
        "-i IN -i IN -map 0:2 OUT.srt", "-i IN -map 0:2 OUT.srt -an",
        "-i IN -map 0:2 -y -n OUT.srt",
        "-map 0:2 -i IN OUT.srt", "-vn -i IN OUT.srt", "-c:s copy -i IN OUT.srt",
        "-f matroska -i IN OUT.srt",
        "-fix_sub_duration -i IN -map 0:2 OUT.srt", "-fflags +genpts -i IN -map 0:2 OUT.srt",
        "-sub_charenc CP1252 -i IN OUT.srt", "-i IN -map 0:2 -bsf:s text2movsub OUT.srt",
        "-i IN -map 0:2 -metadata title=x OUT.srt", "-i IN -map 0:2 -progress pipe:1 OUT.srt",
        "-v debug -i IN -map 0:2 OUT.srt", "-v verbose -i IN -map 0:2 OUT.srt",
        "-v nonsense -i IN -map 0:2 OUT.srt",
        "-report -i IN -map 0:2 OUT.srt", "-stdin -i IN -map 0:2 OUT.srt",
        "--y -i IN -map 0:2 OUT.srt",
        "-I IN -map 0:2 OUT.srt", "-i http://127.0.0.1:9/x.mkv -map 0:2 OUT.srt",
        "-i concat:IN -map 0:2 OUT.srt",
        "-i - -map 0:2 OUT.srt", "-i pipe:0 -map 0:2 OUT.srt", "-i file:// -map 0:2 OUT.srt",
        "-i IN -map 0:2 -f srt http://127.0.0.1:9/x", "-i IN -map 0:2 -f srt pipe:2",
        "-i IN -map 0:2 -f srt tee:OUT.srt",
        "-i IN -map 0:2 -f srt - -map 0:3 -f srt -", "-i IN -map 0:2 OUT.srt -map 0:3 OUT.srt",
        "-i missing.mkv -map 0:2 OUT.srt", "-i . -map 0:2 OUT.srt",
        "-i IN -map 0:2 missing/OUT.srt",
        "-i IN -c:v libx264 -crf 20 OUT.mp4", "-i IN -vn -c:a aac OUT.m4a",
        "-i IN -vframes 1 OUT.png",
        "-i IN -filter_complex [0:v][0:s]overlay OUT.mp4", "-dump_attachment:t OUT.ttf -i IN",
        "-i IN -f ffmetadata OUT.txt", "-i IN -c:s copy -c:s srt OUT.srt",
        "-i IN -codec:s:1 srt OUT.srt",
        "-i IN -c:s:0.1 srt OUT.srt", "-i IN -max_interleave_delta 0 OUT.srt",
        "-i IN -strict -2 OUT.srt",
        "-re -i IN OUT.srt", "-stream_loop 1 -i IN OUT.srt", "-f lavfi -i color OUT.mp4",
        "-copyts -start_at_zero -i IN OUT.srt",
    ]
}
