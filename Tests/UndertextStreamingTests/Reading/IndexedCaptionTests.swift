import TestSupport
import Testing
import UndertextCore
import UndertextIO

@testable import UndertextStreaming

/// Captions of a DASH representation in one file, whose index lists its subsegments (ISO/IEC 23009-1, section 8.3).
@Suite struct IndexedCaptionTests {
    private static let base = "https://example.org/film/"
    /// Times of the fixture begin at ten seconds.
    private static let offset = 300_000
    private static let durations: [UInt64] = [31031, 31031, 31031, 31031, 31031, 29029]

    private static func big(_ value: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }

    /// The segments of the fixture as one file, and its two parts before them.
    private static func file() throws -> (bytes: [UInt8], initialization: Int, index: Int) {
        let initialization = try fixtureBytes("captions/segments/init.mp4")
        let segments = try (0..<6).map { try fixtureBytes("captions/segments/\($0).m4s") }
        var content: [UInt8] = big(0, 4) + big(1, 4) + big(30_000, 4) + big(UInt64(offset), 4)
        content += big(0, 4) + [0, 0] + big(UInt64(segments.count), 2)
        for (segment, duration) in zip(segments, durations) {
            content += big(UInt64(segment.count), 4) + big(duration, 4) + big(0x9000_0000, 4)
        }
        let index = big(UInt64(content.count + 8), 4) + Array("sidx".utf8) + content
        return (initialization + index + segments.flatMap { $0 }, initialization.count, index.count)
    }

    private static func manifest(_ initialization: Int, _ index: Int) -> String {
        """
        <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT6.139S">
        <Period><AdaptationSet contentType="video" mimeType="video/mp4" codecs="avc1.4d001e">
        <Accessibility schemeIdUri="urn:scte:dash:cc:cea-608:2015" value="CC1=eng"/>
        <Representation id="v" bandwidth="100000"><BaseURL>film.mp4</BaseURL>
        <SegmentBase timescale="30000" presentationTimeOffset="\(offset)" indexRange="\(initialization)-\(initialization + index - 1)">
        <Initialization range="0-\(initialization - 1)"/></SegmentBase>
        </Representation></AdaptationSet></Period></MPD>
        """
    }

    private static func read(
        _ file: [UInt8], _ manifest: String, in window: TimeWindow = .all
    ) throws -> (packets: [Packet], codes: [String], ranges: [ByteRange?]) {
        let client = ScriptedFetcher(files: [
            base + "film.mp4": file, base + "film.mpd": Array(manifest.utf8),
        ])
        let presentation = try Presentation(StreamFetcher(client, named: base + "film.mpd"))
        let reader = presentation.reader(for: [0], window: window)
        var packets: [Packet] = []
        while let packet = try reader.nextPacket() { packets.append(packet) }
        let requests = client.requests.filter { $0.url.hasSuffix("film.mp4") }
        return (packets, reader.takeDiagnostics().map(\.code), requests.map(\.range))
    }

    @Test func subsegmentsAreFetchedOneByOne() throws {
        let (file, initialization, index) = try Self.file()
        let manifest = Self.manifest(initialization, index)
        let (packets, codes, ranges) = try Self.read(file, manifest)
        #expect(codes.isEmpty)
        #expect(packets.count == 184)
        let times = try packets.map { try #require($0.start).roundedMilliseconds }
        #expect(times.first == 0 && times == times.sorted())
        #expect(ranges.first == ByteRange(offset: UInt64(initialization), count: index))
        #expect(ranges.contains(ByteRange(offset: 0, count: initialization)))
        #expect(ranges.count == 8 && !ranges.contains(nil))
        #expect(ranges.compactMap { $0?.count }.max() ?? 0 < 3000)
    }

    /// A file whose index is damaged is fetched as a whole.
    @Test func damagedIndexesCostTheirAdvantage() throws {
        var (file, initialization, index) = try Self.file()
        let manifest = Self.manifest(initialization, index)
        let expected = try Self.read(file, manifest).packets
        file[initialization + 4] ^= 0x20
        let (packets, codes, ranges) = try Self.read(file, manifest)
        #expect(codes == ["lost-index"])
        #expect(packets.map(\.data) == expected.map(\.data))
        #expect(packets.map(\.pts) == expected.map(\.pts))
        #expect(ranges.last == .some(nil))
    }

    /// Subsegments outside of a window are not fetched, except for the minute before it.
    @Test func windowsFetchTheirSubsegments() throws {
        let (file, initialization, index) = try Self.file()
        let (_, _, ranges) = try Self.read(
            file, Self.manifest(initialization, index),
            in: TimeWindow(from: .zero, until: .milliseconds(1500)))
        #expect(ranges.count == 4)
    }
}
