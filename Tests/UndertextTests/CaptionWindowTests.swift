import TestSupport
import Testing
import UndertextCore
import UndertextFormats

@testable import Undertext

/// Parts of caption files, and captions that a search of the beginning of video does not find.
@Suite struct CaptionWindowTests {
    private let folder = TemporaryDirectory()

    private static func lines(_ cues: [Cue]) -> [String] {
        cues.map { "\($0.start) \($0.end) \($0.plainText ?? "")" }
    }

    /// A window has the cues that are on screen in it, as the entire file has them.
    @Test(arguments: [
        "pop_on.scc", "paint_on.scc", "roll_up.scc", "708-pop_on.mcc", "708-several.mcc",
        "open.lrc",
    ])
    func windowsOfFilesHaveTheCuesOfAll(name: String) throws {
        let path =
            name == "open.lrc"
            ? folder.write(
                "[00:01.00]Hello\n[00:03.00]World\n[00:11.00]\n[00:12.00]End\n", to: name)
            : fixture("captions/" + name)
        let media = try Media(path)
        for track in media.subtitleTracks {
            let all = try track.document().cues
            #expect(!all.isEmpty)
            for start in stride(from: 0.0, to: 8, by: 0.7) {
                for length in [0.1, 1.5] {
                    let window = TimeWindow(
                        from: Timestamp(nanoseconds: Int64(start * 1e9)),
                        until: Timestamp(nanoseconds: Int64((start + length) * 1e9)))
                    let expected = all.filter { window.overlaps(from: $0.start, until: $0.end) }
                    #expect(
                        try Self.lines(track.document(in: window).cues) == Self.lines(expected),
                        "\(name) \(track.stream.service ?? "") from \(start) for \(length)")
                }
            }
        }
    }

    /// Packets without contents, which a multiplexer sends to fill the bit rate.
    private static func nullPackets(_ bytes: Int) -> [UInt8] {
        let packet = [0x47, 0x1F, 0xFF, 0x10] + [UInt8](repeating: 0xFF, count: 184)
        return Array(repeatElement(packet, count: bytes / 188).joined())
    }

    /// Captions that begin after the searched part are found if captions are named, and by a deep probe.
    @Test func lateCaptionsAreFoundByTheirName() throws {
        let bytes = try fixtureBytes("captions/video/h264.ts")
        func pid(_ place: Int) -> Int { Int(bytes[place + 1] & 0x1F) << 8 | Int(bytes[place + 2]) }
        let places = Array(stride(from: 0, to: bytes.count, by: 188))
        let video = try #require(places.first { pid($0) == 0x100 })
        let late: [UInt8] = bytes[..<video] + Self.nullPackets(3 << 20) + bytes[video...]
        let path = folder.write(late, to: "late.ts")
        func services(_ tracks: String?) throws -> [String] {
            var options = Media.Options()
            options.tracks = try tracks.map { try TrackSelection(parsing: $0) }
            return try Media(path, options: options).subtitleTracks.compactMap(\.stream.service)
        }
        #expect(try Set(services("cc")).isSuperset(of: ["CC1", "CC3"]))
        let deep = try Media(path).probe(deep: true).json
        let found = deep["streams"]?.elements.compactMap { $0["undertext"]?["service"]?.text }
        #expect(Set(found ?? []).isSuperset(of: ["CC1", "CC3"]))
    }

    /// A transport stream several times in a row, its clock going on; the copies begin `distance` ticks apart.
    private static func repeated(_ bytes: [UInt8], _ count: Int, distance: Int) -> [UInt8] {
        var all: [UInt8] = []
        var counters: [Int: UInt8] = [:]
        for round in 0..<count {
            let ticks = round * distance
            for place in stride(from: 0, to: bytes.count - 187, by: 188) {
                var packet = Array(bytes[place..<place + 188])
                let pid = Int(packet[1] & 0x1F) << 8 | Int(packet[2])
                if packet[3] & 0x10 != 0 {
                    packet[3] = packet[3] & 0xF0 | counters[pid, default: 0]
                    counters[pid] = (packet[3] + 1) & 0x0F
                }
                let hasField = packet[3] & 0x20 != 0 && packet[4] > 0
                if hasField, packet[5] & 0x10 != 0 {
                    let base = (0..<4).reduce(0) { $0 << 8 | Int(packet[6 + $1]) } << 1
                    let clock = (base | Int(packet[10] >> 7)) + ticks
                    for index in 0..<4 {
                        packet[6 + index] = UInt8(truncatingIfNeeded: clock >> (25 - 8 * index))
                    }
                    packet[10] = packet[10] & 0x7F | UInt8(truncatingIfNeeded: clock << 7)
                }
                let start = packet[3] & 0x20 != 0 ? 5 + Int(packet[4]) : 4
                if packet[1] & 0x40 != 0, start + 19 <= 188,
                    packet[start..<start + 3].elementsEqual([0, 0, 1])
                {
                    let flags = packet[start + 7]
                    if flags & 0x80 != 0 { move(&packet, start + 9, ticks) }
                    if flags & 0x40 != 0 { move(&packet, start + 14, ticks) }
                }
                all += packet
            }
        }
        return all
    }

    /// Adds to a time of a PES header.
    private static func move(_ packet: inout [UInt8], _ place: Int, _ ticks: Int) {
        let high = Int(packet[place] >> 1 & 7) << 30
        let middle = Int(packet[place + 1]) << 22 | Int(packet[place + 2] >> 1) << 15
        let time =
            (high | middle | Int(packet[place + 3]) << 7 | Int(packet[place + 4] >> 1))
            + ticks
        packet[place] = packet[place] & 0xF1 | UInt8(time >> 29 & 0x0E)
        packet[place + 1] = UInt8(time >> 22 & 0xFF)
        packet[place + 2] = UInt8(time >> 14 & 0xFE) | 1
        packet[place + 3] = UInt8(time >> 7 & 0xFF)
        packet[place + 4] = UInt8(time << 1 & 0xFE) | 1
    }

    /// A part of a long transport stream has the cues of all of it, also long ones, whatever is read for them.
    @Test(
        arguments: [
            ("h264.ts", 14, 6.2), ("mpeg2.ts", 14, 6.2), ("h264.ts", 3, 50),
        ] as [(String, Int, Double)])
    func partsOfVideoHaveTheCuesOfAll(name: String, count: Int, distance: Double) throws {
        // The last caption of the beginning lasts until the next copy.
        let whole = try fixtureBytes("captions/video/" + name)
        let bytes = Self.repeated(
            distance > 20 ? Array(whole.prefix(150 * 188)) : whole, count,
            distance: Int(distance * 90_000))
        let path = folder.write(bytes, to: "long-" + name)
        var options = Media.Options()
        options.tracks = try TrackSelection(parsing: "cc1,cc3,service1")
        for rollUpLines in [false, true] {
            options.rollUpLines = rollUpLines
            let media = try Media(path, options: options)
            for track in media.subtitleTracks {
                let all = try track.document().cues
                let length = Double(count) * distance
                for start in stride(from: 0.0, to: length, by: length / 9 + 0.37) {
                    let window = TimeWindow(
                        from: Timestamp(nanoseconds: Int64(start * 1e9)),
                        until: Timestamp(nanoseconds: Int64((start + 9) * 1e9)))
                    let expected = all.filter { window.overlaps(from: $0.start, until: $0.end) }
                    #expect(
                        try Self.lines(track.document(in: window).cues) == Self.lines(expected),
                        "\(name) \(track.stream.service ?? "") from \(start)")
                }
            }
        }
    }

    /// For a late part of captions of line 21, only a little before it is read.
    @Test func latePartsNeedOnlyALittleBeforeThem() throws {
        let bytes = Self.repeated(
            try fixtureBytes("captions/video/h264.ts"), 500, distance: 558_000)
        var options = Media.Options()
        options.tracks = try TrackSelection(parsing: "cc1")
        let media = try Media(folder.write(bytes, to: "late.ts"), options: options)
        let track = try #require(media.subtitleTracks.first { $0.stream.service == "CC1" })
        let before = media.access.statistics(with: nil).bytesRead
        let reader = try track.cueReader(in: Timestamp.seconds(3050)...)
        var texts: [String] = []
        while let cue = try reader.next() { texts.append(cue.plainText ?? "") }
        #expect(texts.count > 40)
        #expect(reader.summary.statistics.bytesRead - before < UInt64(bytes.count / 2))
    }

    /// A picture of MPEG video with caption pairs, each with the type of its field.
    private static func picture(_ pairs: [(type: UInt8, UInt8, UInt8)], at ticks: Int64) -> Packet {
        let triplets = pairs.flatMap { [0xFC | $0.type, $0.1, $0.2] }
        return Packet(
            streamIndex: 0, pts: ticks, timeBase: .mpeg,
            data: [0, 0, 1, 0, 0, 0x0F, 0xFF, 0xF8, 0, 0, 1, 0xB2] + Array("GA94".utf8)
                + [3, 0x40 | UInt8(pairs.count), 0xFF] + triplets + [0xFF])
    }

    private final class ListReader: PacketReader {
        private var packets: ArraySlice<Packet>
        init(_ packets: [Packet]) { self.packets = packets[...] }
        func nextPacket() throws(UndertextError) -> Packet? { packets.popFirst() }
    }

    /// Services that begin late, and jumps of the clock, are reported by the reader that meets them.
    @Test func missedSegmentsAreReported() throws {
        var video = StreamDescription(
            index: 0, kind: .video, codec: CodecID(rawValue: "mpeg2video"))
        video.timeBase = .mpeg
        let service = try #require(CaptionService(name: "CC1")).stream(in: video, index: 7)
        func codes(_ packets: [Packet], known: Set<String>) throws -> [String] {
            let diagnostics = DiagnosticSink()
            let reader = ServiceReader(
                ListReader(packets), [service], besides: [], in: [video], known: known,
                diagnostics: diagnostics)
            while try reader.nextPacket() != nil {}
            return diagnostics.take().map(\.code)
        }
        let first = Self.picture([(0, 0x94, 0x20)], at: 0)
        let second = Self.picture([(0, 0x94, 0x20), (1, 0x15, 0x20)], at: 3003)
        #expect(try codes([first, second], known: ["CC1"]) == ["captions-left-out"])
        #expect(try codes([first, second], known: ["CC1", "CC3"]).isEmpty)
        let later = Self.picture([(0, 0x94, 0x2C)], at: 90_000 * 60)
        #expect(try codes([first, later], known: ["CC1"]) == ["time-jump"])
    }

    /// The stored captions are copied if their own format is requested, unless times change.
    @Test func captionsAreCopiedInTheirOwnFormat() throws {
        let source = fixture("captions/pop_on.scc")
        func written(_ name: String, _ change: (inout ExtractionOptions) -> Void) throws -> [UInt8]
        {
            var options = ExtractionOptions()
            options.destination = .file(folder / name)
            change(&options)
            let report = try Extractor(options: options).extract(source)
            #expect(report.outcome == .complete)
            return try #require(fileBytes(folder / name))
        }
        let copy = try written("a.scc") { $0.format = .native }
        #expect(try written("b.scc") { $0.format = .text(.scc) } == copy)
        #expect(
            try written("c.scc") {
                $0.format = .text(.scc)
                $0.window = TimeWindow(from: .seconds(1), until: .seconds(4))
            } != copy)
    }

    /// A frame rate changes the times of files that count frames, so it is not reported as ignored.
    @Test(arguments: ["pop_on.scc", "708-pop_on.mcc"])
    func frameRatesOfCaptionFilesCount(name: String) throws {
        var options = ExtractionOptions()
        options.reading.frameRate = TimeBase(24, 1)
        options.destination = .directory(folder / "out")
        let report = try Extractor(options: options).extract(fixture("captions/" + name))
        let codes = report.tracks.flatMap { $0.diagnostics.map(\.code) }
        #expect(!report.tracks.isEmpty && !codes.contains("option-ignored"), "\(codes)")
    }
}
