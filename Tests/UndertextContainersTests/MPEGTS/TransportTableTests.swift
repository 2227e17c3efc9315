import TestSupport
import Testing
import UndertextCore

@testable import UndertextContainers

/// Tables that name far too much or change without end: what they may cost is counted.
@Suite struct TransportTableTests {
    private typealias Sample = TransportSample

    /// 240 maps of 120 PIDs each name the same subtitles; one of them changes again and again.
    private static func crowd(changes: Int) -> [UInt8] {
        var builder = TransportBuilder()
        let others = (0..<119).map { TransportBuilder.Stream(type: 3, pid: 0x200 + $0) }
        func map(_ program: Int, version: UInt8) {
            builder.map(
                program + 1, pid: 0x1000 + program, clock: 0x100, version: version,
                [.init(type: 6, pid: 0x110, descriptors: Sample.dvb)] + others)
        }
        builder.association((0..<240).map { ($0 + 1, 0x1000 + $0) })
        for program in 0..<240 { map(program, version: 0) }
        for change in 0..<changes {
            map(0, version: UInt8((change + 1) % 32))
            let time = 90_000 + Int64(change) * 45_000
            builder.packet(0x100, clock: time)
            builder.pes(0x110, Sample.dvbPayload(UInt8(change)), pts: time + 9000)
        }
        return builder.bytes
    }

    @Test func manyMapsStayWithinTheLimit() throws {
        let file = try TransportStreamFile(source: MemorySource(Self.crowd(changes: 20)))
        #expect(file.programs.count == 240)
        #expect(file.programs.map(\.streams.count).reduce(0, +) == Limits().streams)
        // Each of the 241 tables is one change.
        #expect(file.tables.work <= 241 * (240 + Limits().streams) + 2 * 241)
        let reader = try file.packetReader(for: subtitles(of: file))
        let packets = try drain(reader)
        #expect(packets.map(\.pts) == (0..<20).map { 99_000 + $0 * 45_000 })
        #expect(reader.diagnostics.take().map(\.code) == ["tables-exceed-limits"])
    }

    @Test func streamsOfAllProgramsCountTogether() throws {
        var limits = Limits()
        limits.streams = 130
        let bytes = Self.crowd(changes: 2)
        let file = try TransportStreamFile(source: MemorySource(bytes), limits: limits)
        #expect(file.programs.prefix(3).map(\.streams.count) == [120, 10, 0])
        #expect(file.tables.programs(ofPID: 0x110).map(\.number) == [1, 2])
        #expect(file.tables.programs(ofPID: 0x200 + 50).map(\.number) == [1])
        #expect(try drain(file.packetReader(for: subtitles(of: file))).count == 2)
    }

    /// Changes are followed until they have cost too much; then nothing is taken any more.
    @Test func changesWithoutEndAreIgnored() {
        var builder = TransportBuilder()
        builder.association([(1, 0x1000)])
        for change in 0..<400 {
            builder.map(
                1, pid: 0x1000, clock: 0x100 + change, version: UInt8(change % 32),
                (0..<4).map { .init(type: 3, pid: 0x200 + $0) })
        }
        var tables = ProgramTables(streamLimit: 1000, workLimit: 1000)
        var changes = 0
        for offset in stride(from: 0, to: builder.bytes.count, by: 188) {
            if tables.push(TransportHeader(builder.bytes, at: offset), builder.bytes) {
                changes += 1
            }
        }
        // The association costs 3, each map 1 for the program and 4 for the streams.
        #expect(changes == 1 + 200)
        #expect(tables.work == 3 + 200 * 5)
        #expect(tables.programs.map(\.clockPID) == [0x100 + 199])
        #expect(tables.pids.isEmpty)
        #expect(tables.excess != nil)
    }

    /// Tables that only recur cost nothing.
    @Test func repeatedTablesAreNoChange() {
        var builder = TransportBuilder()
        for _ in 0..<50 {
            builder.association([(1, 0x1000), (2, 0x1001), (1, 0x1000)])
            for program in 0..<2 {
                builder.map(
                    program + 1, pid: 0x1000 + program, clock: 0x100,
                    [.init(type: 3, pid: 0x200), .init(type: 3, pid: 0x200)])
            }
        }
        var tables = ProgramTables(streamLimit: 1000)
        var work: [Int] = []
        for offset in stride(from: 0, to: builder.bytes.count, by: 188) {
            _ = tables.push(TransportHeader(builder.bytes, at: offset), builder.bytes)
            work.append(tables.work)
        }
        #expect(work.count == 150)
        #expect(work[2] > 0)
        #expect(work[2] == work[149])
        #expect(tables.isComplete)
        // Each program counts once, even if its map names the PID several times.
        #expect(tables.programs(ofPID: 0x200).map(\.number) == [1, 2])
    }

    /// A job is stopped at the next change, not only where the next block is read.
    @Test func changesLookAtTheCancellation() throws {
        let cancellation = Cancellation()
        let bytes = Self.crowd(changes: 20)
        let file = try TransportStreamFile(
            source: MemorySource(bytes), cancellation: cancellation)
        let reader = try file.packetReader(for: subtitles(of: file))
        cancellation.cancel()
        let error = #expect(throws: UndertextError.self) { try reader.nextPacket() }
        #expect(error?.code == .cancelled)
        // The tables at the beginning are known; the changes begin after them.
        #expect(reader.position > 0)
        #expect(reader.position < UInt64(Self.crowd(changes: 1).count))
    }
}
