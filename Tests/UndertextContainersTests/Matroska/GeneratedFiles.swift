import TestSupport
import Testing

/// Files that mkvmerge and ffmpeg write from our own words.
final class GeneratedFiles {
    let folder = TemporaryDirectory()

    /// Writes the sources; a test that uses them requires `mkvmerge`, `ffmpeg` and `ffprobe`.
    init() throws {
        folder.write(Self.subRip, to: "a.srt")
        folder.write(Self.webVTT, to: "a.vtt")
        folder.write(Self.ass, to: "a.ass")
        folder.write(Self.chapters, to: "chapters.txt")
        folder.write(Self.tags, to: "tags.xml")
        folder.write([UInt8](repeating: 0x55, count: 5000), to: "font.ttf")
        let media = try #require(Self.media)
        folder.write(media.video, to: "v.mkv")
        folder.write(media.cover, to: "cover.png")
    }

    /// A video without subtitles and an image, generated once.
    private static let media: (video: [UInt8], cover: [UInt8])? = {
        let folder = TemporaryDirectory()
        let film =
            "-v error -f lavfi -i testsrc=s=160x120:r=25:d=8 -f lavfi -i sine=d=8 -c:v mpeg4 "
            + "-b:v 300k -g 25 -c:a ac3 v.mkv"
        let image = "-v error -f lavfi -i color=s=64x64:d=1 -frames:v 1 cover.png"
        for arguments in [film, image] {
            let list = arguments.split(separator: " ").map { String($0) }
            guard run("ffmpeg", list, directory: folder.path).status == 0 else { return nil }
        }
        guard let video = fileBytes(folder / "v.mkv"), let cover = fileBytes(folder / "cover.png")
        else { return nil }
        return (video, cover)
    }()

    /// Runs a tool in the folder; arguments are separated by spaces.
    func tool(_ name: String, _ arguments: String) throws {
        let list = arguments.split(separator: " ").map { String($0) }
        let result = run(name, list, directory: folder.path)
        // mkvmerge ends with 1 after a warning.
        let isDone = result.status == 0 || (name == "mkvmerge" && result.status == 1)
        try #require(isDone, "\(name) \(arguments): \(result.text)\(result.stderr)")
    }

    /// The path of a file in the folder.
    func path(_ name: String) -> String { folder / name }

    private static let subRip = """
        1
        00:00:01,000 --> 00:00:02,000
        one

        2
        00:00:01,000 --> 00:00:02,500
        same start

        3
        00:00:01,500 --> 00:00:04,000
        overlap

        4
        00:00:05,000 --> 00:00:06,000
        <i>four</i>

        """
    private static let webVTT = """
        WEBVTT

        first
        00:01.000 --> 00:02.000 line:10%
        Hello

        00:03.000 --> 00:04.000
        World, <00:03.500>later

        third
        00:04.500 --> 00:05.000 align:start
        two
        lines

        """
    private static let ass = """
        [Script Info]
        ScriptType: v4.00+

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, Alignment, Encoding
        Style: Default,Arial,20,2,1

        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
        Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,Hi
        Dialogue: 1,0:00:01.00,0:00:02.00,Default,,0,0,0,,{\\i1}same{\\i0}

        """
    private static let chapters = """
        CHAPTER01=00:00:00.000
        CHAPTER01NAME=Start
        CHAPTER02=00:00:03.000
        CHAPTER02NAME=Middle

        """
    private static let tags = """
        <?xml version="1.0"?>
        <Tags>
          <Tag>
            <Targets><TargetTypeValue>50</TargetTypeValue><TargetType>MOVIE</TargetType></Targets>
            <Simple><Name>TITLE</Name><String>A film</String>
              <Simple><Name>SORT_WITH</Name><String>Film, A</String></Simple></Simple>
            <Simple><Name>TITLE</Name><String>Ein Film</String><TagLanguage>ger</TagLanguage>
              <DefaultLanguage>0</DefaultLanguage></Simple>
          </Tag>
          <Tag>
            <Simple><Name>PART_NUMBER</Name><String>3</String></Simple>
            <Simple><Name>LEAD_PERFORMER</Name><String>Somebody</String></Simple>
          </Tag>
        </Tags>

        """
}
