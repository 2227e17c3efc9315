import TestSupport
import Testing
import Undertext
import UndertextCore
import UndertextFormats

/// A file read by itself and the same file in Matroska give the same cues, though mkvmerge stores
/// times within the text relative to the block.
@Test(.requires("mkvmerge")) func webVTTFileAndMatroskaTrack() throws {
    let text = """
        WEBVTT

        STYLE
        ::cue(.a) { color: red }

        REGION
        id:fred

        NOTE first

        one
        00:00:01.000 --> 00:00:09.000 region:fred align:start
        a <00:00:02.500>b <00:00:00.250>c <c.a>d</c>

        00:01:00.000 --> 00:02:00.000
        e <00:01:30.000>f
        g

        """
    let folder = TemporaryDirectory()
    folder.write(text, to: "in.vtt")
    let made = run("mkvmerge", ["-q", "-o", folder / "in.mkv", folder / "in.vtt"])
    try #require(made.status == 0)
    let stored = try Media(folder / "in.mkv").subtitleTrack(id: 0).document().cues
    let reader = WebVTTFileReader(Array(text.utf8), limits: Limits())
    var decoder = WebVTTDecoder(stream: reader.stream)
    var own: [Cue] = []
    while let packet = try reader.nextPacket() {
        for case .cue(let draft) in decoder.decode(packet) {
            own.append(draft.cue(order: own.count))
        }
    }
    #expect(own.count == 2)
    #expect(own == Array(stored))
    #expect(own[0].source == .webVTT("a <00:00:02.500>b <00:00:00.250>c <c.a>d</c>"))
}
