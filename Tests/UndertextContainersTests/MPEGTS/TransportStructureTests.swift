import TestSupport
import Testing
import UndertextContainers
import UndertextCore

/// Changing tables, several programs, packets without an end: compared with libavformat, or with the standard
/// where libavformat deviates from it.
@Suite struct TransportStructureTests {
    private typealias Sample = TransportSample

    /// The PID of the subtitles moves in mid-file, and a stream is added.
    @Test func changedMapIsReported() throws {
        var builder = TransportBuilder()
        func map(_ version: UInt8, _ pids: [Int]) {
            builder.association([(1, 0x1000)])
            let dvb = pids.map {
                TransportBuilder.Stream(type: 6, pid: $0, descriptors: Sample.dvb)
            }
            builder.map(
                1, pid: 0x1000, clock: 0x100, version: version,
                [.init(type: 6, pid: 0x100, descriptors: Sample.ac3)] + dvb)
        }
        func events(_ range: Range<Int64>, _ pids: [Int]) {
            for event in range {
                let time = 90_000 + event * 45_000
                builder.pes(0x100, [UInt8](repeating: 1, count: 300), pts: time, clock: time)
                for pid in pids {
                    builder.pes(pid, Sample.dvbPayload(UInt8(event)), pts: time + 9000)
                }
            }
        }
        map(0, [0x110])
        events(0..<6, [0x110])
        map(1, [0x111, 0x112])
        events(6..<10, [0x111, 0x112])
        let file = try TransportStreamFile(source: MemorySource(builder.bytes))
        let streams = subtitles(of: file)
        #expect(streams.map(\.id) == [0x110])
        let reader = try file.packetReader(for: streams)
        #expect(try drain(reader).count == 6)
        let reported = reader.diagnostics.take()
        #expect(reported.map(\.code) == ["late-stream", "late-stream"])
        #expect(reported.allSatisfy { $0.severity == .warning })
    }

    @Test func programsKeepTheirOwnClocks() throws {
        var builder = TransportBuilder()
        let starts: [Int64] = [90_000, (1 << 33) - 100_000]
        for event in 0..<12 {
            if event % 4 == 0 {
                builder.association([(1, 0x1000), (2, 0x1001)])
                for program in 0..<2 {
                    builder.map(
                        program + 1, pid: 0x1000 + program, clock: 0x100 + program,
                        [
                            .init(type: 6, pid: 0x100 + program, descriptors: Sample.ac3),
                            .init(type: 6, pid: 0x110 + program, descriptors: Sample.dvb),
                        ])
                }
            }
            for program in 0..<2 {
                let time = (starts[program] + Int64(event) * 45_000) & ((1 << 33) - 1)
                builder.pes(
                    0x100 + program, [UInt8](repeating: 1, count: 300), pts: time, clock: time)
                builder.pes(
                    0x110 + program, Sample.dvbPayload(UInt8(event)), pts: time + 9000)
            }
        }
        let comparison = try #require(try TransportComparison(builder.bytes))
        #expect(comparison.expectEqual("two programs") == 24)
        let times = Dictionary(grouping: comparison.ours, by: \.streamIndex)
        #expect(times.count == 2)
        // The second one wraps, and its times run on.
        for packets in times.values {
            let shown = packets.compactMap(\.pts)
            #expect(shown == shown.sorted())
        }
    }

    /// A packet without end comes out in parts, of which none is larger than the limit.
    @Test func packetWithoutEndStaysBounded() throws {
        var builder = TransportBuilder()
        builder.association([(1, 0x1000)])
        builder.map(
            1, pid: 0x1000, clock: 0x100, descriptors: Sample.hdmv, [.init(type: 0x90, pid: 0x130)])
        builder.pes(0x130, [UInt8](repeating: 0x16, count: 3 << 20), pts: 90_000, length: 0)
        let comparison = try #require(try TransportComparison(builder.bytes))
        #expect(comparison.expectEqual("no end") > 10)
        #expect(comparison.ours.allSatisfy { $0.data.count <= 204_800 })
    }

    @Test func descriptorsAreRead() throws {
        var builder = TransportBuilder()
        builder.association([(7, 0x1000)])
        let dvb: [UInt8] =
            [0x59, 16] + Array("eng".utf8) + [0x10, 0, 1, 0, 2] + Array("deu".utf8)
            + [0x24, 0, 3, 0, 4]
        let teletext: [UInt8] =
            [0x56, 10] + Array("fra".utf8) + [0x02 << 3 | 0, 0x88] + Array("nld".utf8)
            + [0x05 << 3 | 1, 0x50]
        let sound: [UInt8] = [0x0A, 4] + Array("ita".utf8) + [2]
        builder.map(
            7, pid: 0x1000, clock: 0x1FFF,
            [
                .init(type: 6, pid: 0x110, descriptors: dvb),
                .init(type: 6, pid: 0x120, descriptors: teletext),
                .init(type: 3, pid: 0x101, descriptors: sound),
            ])
        builder.packet(0x1FFF, payload: [UInt8](repeating: 0, count: 184)[...])
        let file = try TransportStreamFile(source: MemorySource(builder.bytes))
        let program = try #require(file.programs.first)
        #expect(program.number == 7)
        #expect(program.clockPID == nil)
        let streams = program.streams
        try #require(streams.count == 3)
        #expect(streams[0].languages == ["eng", "deu"])
        #expect(streams[0].dvbSubtitlePages.map(\.compositionPage) == [1, 3])
        #expect(streams[0].dvbSubtitlePages.map(\.ancillaryPage) == [2, 4])
        #expect(streams[0].dvbSubtitlePages.map(\.isHearingImpaired) == [false, true])
        #expect(streams[1].teletextPages.map(\.number) == [888, 150])
        #expect(streams[1].teletextPages.map(\.isSubtitle) == [true, true])
        #expect(streams[1].teletextPages.map(\.isHearingImpaired) == [false, true])
        #expect(streams[2].languages == ["ita"])
        #expect(streams.map(\.isHearingImpaired) == [true, true, true])
        #expect(
            streams.map { $0.subtitleCodec(in: program) } == [CodecID.dvb, CodecID.teletext, nil])
    }

    /// Teletext without times of its own has those of the clock.
    @Test func teletextTakesTheClock() throws {
        let comparison = try #require(try TransportComparison(Sample.film(events: 8)))
        comparison.expectEqual("film")
        let file = try TransportStreamFile(source: MemorySource(Sample.film(events: 8)))
        let streams = subtitles(of: file).filter { $0.codec == .teletext }
        let packets = try drain(try file.packetReader(for: streams))
        #expect(packets.compactMap(\.pts) == (0..<8).map { 90_000 + Int64($0) * 45_000 })
    }

    /// Output of ffmpeg with its options for Blu-ray, constant bit rate and late clocks.
    @Test(
        .requires("ffmpeg"),
        arguments: [
            ["-mpegts_m2ts_mode", "1"], ["-muxrate", "2000000"],
            ["-output_ts_offset", "95440"],
            ["-output_ts_offset", "95443.5", "-muxrate", "1500000"],
        ])
    func muxedByFFmpegIsEqual(_ options: [String]) throws {
        let folder = TemporaryDirectory()
        let isBluRay = options[0].contains("m2ts")
        let output = folder / (isBluRay ? "out.m2ts" : "out.ts")
        let input = fixture(isBluRay ? "subtitles/bitmaps.sup" : "containers/movie.ts")
        let result = run(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-i", input, "-map", "0:v?", "-map", "0:s", "-c", "copy"]
                + options + ["-f", "mpegts", output])
        try #require(result.status == 0, "\(result.stderr)")
        let bytes = try #require(fileBytes(output))
        let comparison = try #require(try TransportComparison(bytes))
        #expect(comparison.expectEqual("\(options)") > 3)
        #expect(comparison.diagnostics.isEmpty)
    }
}
