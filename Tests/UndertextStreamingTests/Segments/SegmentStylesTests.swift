import Testing
import UndertextCore
import UndertextFormats

@testable import UndertextStreaming

/// State that segments share: styles, and the record of earlier cues.
@Suite struct SegmentStylesTests {
    /// Players may begin with any segment, and readers keep what all of them have.
    @Test func everySegmentHasAllStyles() throws {
        let colors: [RGBA?] = [nil, RGBA(rawValue: 0xFF00_00FF), RGBA(rawValue: 0x1234_56FF), nil]
        let cues = colors.enumerated().map { index, color in
            var run = TextRun("\(index)")
            run.style.color = color
            return Cue(
                order: index, start: .seconds(Int64(index) * 10 + 1),
                end: .seconds(Int64(index) * 10 + 2), content: .text(StyledText(runs: [run])))
        }
        let segmenter = WebVTTSegmenter(SubtitleDocument(cues: cues))
        var joiner = WebVTTJoiner()
        var headers: Set<[UInt8]> = []
        for index in 0..<5 {
            let start = Timestamp.seconds(Int64(index) * 10)
            let file = segmenter.segment(
                .init(start: start, end: start.advanced(by: .seconds(10)))
            ).bytes
            let text = String(decoding: file, as: UTF8.self)
            #expect(text.contains("::cue(.red){color:") && text.contains("::cue(.c123456){color:"))
            _ = joiner.packets(of: .init(file, start: start, clock: nil))
            headers.insert(joiner.header)
        }
        #expect(headers.count == 1)
    }

    /// The record of earlier cues is not searched for each segment.
    @Test func shortSegmentsCostNoMore() {
        func looks(_ count: Int) -> Int {
            var joiner = WebVTTJoiner()
            for number in 0..<count {
                let start = Timestamp.milliseconds(Int64(number) * 20)
                var time: [UInt8] = []
                WebVTTTimestamp.append(start, to: &time)
                time += " --> ".utf8
                WebVTTTimestamp.append(start.advanced(by: .milliseconds(20)), to: &time)
                let file = Array("WEBVTT\n\n".utf8) + time + "\n\(number)\n".utf8
                let packets = joiner.packets(of: .init(file, start: start, clock: nil))
                #expect(packets.count == 1)
            }
            return joiner.looks
        }
        #expect(looks(10_000) <= 3 * 10_000)
    }

    @Test func stylesAreKeptOnceAndBounded() {
        var joiner = WebVTTJoiner()
        func add(_ styles: [String]) {
            let blocks = styles.map { "STYLE\n\($0)\n\n" }.joined()
            let file = "WEBVTT\n\n\(blocks)00:01.000 --> 00:02.000\nx\n"
            _ = joiner.packets(of: .init(Array(file.utf8), start: .zero, clock: nil))
        }
        add(["::cue(.a){color:red}"])
        let one = joiner.header
        add(["::cue(.a){color:red}", "::cue(.a){color:red}"])
        #expect(joiner.header == one)
        for number in 0..<3000 { add(["::cue(.c\(number)){color:red}"]) }
        #expect(
            joiner.header.split(separator: 0x0A).count { $0.starts(with: "STYLE".utf8) } == 1000)
        #expect(joiner.takeDiagnostics().contains { $0.code == "too-many-styles" })
    }
}
