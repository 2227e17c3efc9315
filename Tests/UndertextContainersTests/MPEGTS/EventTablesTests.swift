import TestSupport
import Testing
import UndertextCore

@testable import UndertextContainers

/// The captions that the event tables of ATSC declare.
@Suite struct EventTablesTests {
    private static let now: UInt32 = 1_200_000_000
    private static let eventPID = 0x1D00

    /// A list of descriptors after its length.
    private static func list(_ descriptors: [UInt8], reserved: UInt8 = 0xF0) -> [UInt8] {
        [reserved | UInt8(descriptors.count >> 8), UInt8(descriptors.count & 0xFF)] + descriptors
    }

    private static func captions(_ language: String) -> [UInt8] {
        [0x86, 7, 0xE1] + Array(language.utf8) + [0xC1, 0x3F, 0xFF]
    }

    /// A master guide table whose first table is one of text.
    private static func guide(_ pids: [Int] = [eventPID]) -> [UInt8] {
        var body: [UInt8] = [0, 0, UInt8(pids.count + 1)]
        for (type, pid) in [(0x0200, 0x1E00)] + pids.map({ (0x0100, $0) }) {
            body += [UInt8(type >> 8), UInt8(type & 0xFF), 0xE0 | UInt8(pid >> 8)]
            body += [UInt8(pid & 0xFF), 0xE0, 0, 0, 1, 0] + list([])
        }
        return ProgramTables.section(0xC7, 0, body + list([]))
    }

    /// A virtual channel table of the multiplex 1.
    private static func channels(
        _ channels: [(program: Int, source: Int, multiplex: Int)], table: UInt8 = 0xC8
    ) -> [UInt8] {
        var body: [UInt8] = [0, UInt8(channels.count)]
        for channel in channels {
            body += [UInt8](repeating: 0, count: 14) + [0xF0, 0x10, 0x01, 4, 0, 0, 0, 0]
            for value in [channel.multiplex, channel.program, 0x0DC2, channel.source] {
                body += [UInt8(value >> 8), UInt8(value & 0xFF)]
            }
            body += list([0xA0, 1, 0], reserved: 0xFC)
        }
        return ProgramTables.section(table, 1, body + list([], reserved: 0xFC))
    }

    private static func time(_ seconds: UInt32 = now) -> [UInt8] {
        var body: [UInt8] = [0]
        body.appendBigEndian(seconds)
        return ProgramTables.section(0xCD, 0, body + [18, 0x60, 0])
    }

    /// An event information table; starts are relative to the time.
    private static func events(
        of source: Int, _ events: [(start: Int, length: Int, language: String)], index: Int = 0
    ) -> [UInt8] {
        var body: [UInt8] = [0, UInt8(events.count)]
        for event in events {
            body += [0xC0, 1]
            body.appendBigEndian(UInt32(Int(now) + event.start))
            body += [0xF0 | UInt8(event.length >> 16), UInt8(event.length >> 8 & 0xFF)]
            body += [UInt8(event.length & 0xFF), 3, 1, 2, 3] + list(captions(event.language))
        }
        return ProgramTables.section(0xCB, source, index: index, body)
    }

    /// A stream of two programs, whose tables are followed by others.
    private static func stream(_ tables: [(pid: Int, section: [UInt8])]) -> [UInt8] {
        var builder = TransportBuilder()
        builder.association([(1, 0x100), (2, 0x200)])
        for table in tables { builder.payload(table.pid, [0] + table.section) }
        for _ in 0..<10 { builder.packet(0x1FFF, payload: [0]) }
        return builder.bytes
    }

    private static func services(
        _ tables: [(pid: Int, section: [UInt8])]
    ) throws -> [Int: [String]] {
        let file = try TransportStreamFile(source: MemorySource(stream(tables)))
        return try file.eventCaptionServices(within: .max).mapValues { $0.map(\.language) }
    }

    private static let base: [(pid: Int, section: [UInt8])] = [
        (EventTables.basePID, guide()),
        (EventTables.basePID, channels([(1, 7, 1), (2, 8, 1)])),
    ]
    private static let schedule: [(pid: Int, section: [UInt8])] = [
        (eventPID, events(of: 7, [(-3600, 1800, "ger"), (-1800, 3600, "eng")])),
        (eventPID, events(of: 8, [(-10, 10, "spa"), (0, 90_000, "fre")])),
    ]

    @Test func theEventOfTheTimeCounts() throws {
        let tables = Self.base + [(EventTables.basePID, Self.time())] + Self.schedule
        #expect(try Self.services(tables) == [1: ["eng"], 2: ["fre"]])
    }

    @Test func withoutATimeTheFirstEventCounts() throws {
        #expect(try Self.services(Self.base + Self.schedule) == [1: ["ger"], 2: ["spa"]])
    }

    @Test func eventsOfOtherTimesDoNotCount() throws {
        let late = [(EventTables.basePID, Self.time(Self.now + 1800))]
        #expect(try Self.services(Self.base + late + Self.schedule) == [2: ["fre"]])
    }

    @Test func sectionsOfAnEventTableAreRead() throws {
        let tables =
            Self.base + [(EventTables.basePID, Self.time())] + [
                (Self.eventPID, Self.events(of: 7, [(-3600, 1800, "ger")])),
                (Self.eventPID, Self.events(of: 7, [(-1800, 3600, "eng")], index: 1)),
            ]
        #expect(try Self.services(tables) == [1: ["eng"]])
    }

    @Test func channelsOfOtherMultiplexesDoNotCount() throws {
        let tables =
            [
                (EventTables.basePID, Self.guide()),
                (EventTables.basePID, Self.channels([(1, 7, 2), (2, 8, 1)], table: 0xC9)),
                (EventTables.basePID, Self.time()),
            ] + Self.schedule
        #expect(try Self.services(tables) == [2: ["fre"]])
    }

    @Test func tablesOfOtherPIDsDoNotCount() throws {
        let others = [(0x1D01, Self.schedule[0].section), (EventTables.basePID, Self.time())]
        #expect(try Self.services(Self.base + others).isEmpty)
    }

    /// Of a file without these tables, only the first block is searched.
    @Test func filesWithoutTheTablesAreNotSearched() throws {
        var builder = TransportBuilder()
        builder.association([(1, 0x100)])
        for _ in 0..<4000 { builder.packet(0x1FFF, payload: [0]) }
        let late = builder.bytes + Self.stream(Self.base + Self.schedule)
        let source = MemorySource(late)
        let file = try TransportStreamFile(source: source)
        let before = source.statistics.bytesRead
        #expect(try file.eventCaptionServices(within: .max).isEmpty)
        #expect(source.statistics.bytesRead - before <= UInt64(PacketScanner.blockLength))
    }

    @Test func tooManyChannelsAndEventsAreIgnored() throws {
        var tables = [
            (EventTables.basePID, Self.guide(Array(0x1D00..<0x1D20))),
            (EventTables.basePID, Self.time()),
        ]
        for first in stride(from: 0, to: 400, by: 40) {
            let channels = (first..<first + 40).map { ($0 + 1, $0 + 1, 1) }
            tables.append((EventTables.basePID, Self.channels(channels)))
        }
        let crowd = (0..<100).map { ($0 * 10, 10, "eng") }
        for source in 1...20 {
            tables.append((Self.eventPID, Self.events(of: source, crowd)))
        }
        let found = try Self.services(tables)
        #expect(found.count == 10)
        // Beyond the eighth PID nothing is read.
        let far = [(0x1D1F, Self.events(of: 30, [(0, 10, "fre")]))]
        #expect(try Self.services(tables + far)[30] == nil)
    }

    /// Tables that are cut off or damaged, each with a valid check sum.
    @Test func damagedTablesAreRead() throws {
        let time = [(EventTables.basePID, Self.time())]
        let tables = Self.base + time + Self.schedule
        for (place, table) in tables.enumerated() {
            let body = Array(table.section.dropFirst(8).dropLast(4))
            let number = Int(table.section[3]) << 8 | Int(table.section[4])
            func isRead(_ body: [UInt8]) throws {
                var damaged = tables
                damaged[place].section = ProgramTables.section(table.section[0], number, body)
                for services in try Self.services(damaged).values {
                    #expect(services.count <= 31)
                }
            }
            for part in truncations(of: body) { try isRead(part) }
            for part in bitFlips(of: body, count: 200, seed: UInt64(place)) { try isRead(part) }
        }
    }
}
