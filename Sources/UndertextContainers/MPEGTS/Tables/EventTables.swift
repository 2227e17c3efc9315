internal import UndertextCore

/// The captions of the events that the channels of a multiplex broadcast now, from the tables of ATSC A/65.
///
/// The master guide table names the PIDs of the event tables, the virtual channel table the source of each program, and the
/// system time table the time.
struct EventTables {
    /// The PID of the tables of channels and of the time.
    static let basePID = 0x1FFB
    /// The table_type of the event tables of the present three hours in the master guide table (section 6.2).
    private static let presentEvents = 0x0100
    /// More of them than any multiplex has are damage.
    private static let (maximumPIDs, maximumChannels, maximumEvents) = (8, 64, 1024)

    private struct Event {
        let start: UInt32
        let length: UInt32
        let services: [TransportCaptionService]
    }

    /// `true` if there was a section of one of these tables.
    private(set) var isPresent = false
    /// The first time in the stream, in seconds of GPS as those of events.
    private var time: UInt32?
    /// source_id by the number of the program.
    private var sources: [Int: Int] = [:]
    /// The events by source_id and section.
    private var events: [Int: [Int: [Event]]] = [:]
    private var eventCount = 0
    private var assemblers = [basePID: SectionAssembler()]

    /// The PIDs whose packets ``push(_:_:)`` needs.
    var pids: [Int] { Array(assemblers.keys) }

    /// `true` if the present event of each channel was found.
    var isComplete: Bool {
        time != nil && !sources.isEmpty
            && sources.values.allSatisfy { current(ofSource: $0) != nil }
    }

    /// The services of the present event of a program.
    func services(ofProgram number: Int) -> [TransportCaptionService] {
        sources[number].flatMap(current)?.services ?? []
    }

    /// The numbers of the programs that are channels.
    var programs: [Int] { Array(sources.keys) }

    /// The event that is broadcast; without a time the first one.
    private func current(ofSource source: Int) -> Event? {
        let all = (events[source] ?? [:]).values.joined()
        guard let time else { return all.min { $0.start < $1.start } }
        return all.first { $0.start <= time && time - $0.start < $0.length }
    }

    /// Adds a packet of one of ``pids``; returns `true` if it completed a section.
    mutating func push(_ header: TransportHeader, _ bytes: [UInt8]) -> Bool {
        var sections: [ArraySlice<UInt8>] = []
        assemblers[header.pid]?.push(header, bytes, to: &sections)
        for section in sections.compactMap(TableSection.init) {
            switch (section.table, header.pid == Self.basePID) {
            case (0xC7, true): takeGuide(section)
            case (0xC8, true), (0xC9, true): takeChannels(section)
            case (0xCD, true): takeTime(section)
            case (0xCB, false): takeEvents(section)
            default: continue
            }
            isPresent = true
        }
        return !sections.isEmpty
    }

    /// Parses a section of the master guide table (section 6.2).
    private mutating func takeGuide(_ section: TableSection) {
        var body = section.body
        guard body.skip(1), let count = body.uint16() else { return }
        for _ in 0..<count {
            guard let type = body.uint16(), let pid = body.uint16().map({ Int($0 & 0x1FFF) }),
                body.skip(5), body.descriptors() != nil
            else { return }
            if Int(type) == Self.presentEvents, assemblers.count <= Self.maximumPIDs,
                assemblers[pid] == nil
            {
                assemblers[pid] = SectionAssembler()
            }
        }
    }

    /// Parses a section of a virtual channel table (section 6.3).
    private mutating func takeChannels(_ section: TableSection) {
        var body = section.body
        guard body.skip(1), let count = body.uint8() else { return }
        for _ in 0..<count {
            // Before the number are the name, the number that viewers enter, the modulation and the frequency.
            guard body.skip(14 + 3 + 1 + 4), let transport = body.uint16(),
                let program = body.uint16().map(Int.init), body.skip(2),
                let source = body.uint16().map(Int.init), body.descriptors(mask: 0x03FF) != nil
            else { return }
            // Tables of cable also list the channels of other multiplexes.
            guard Int(transport) == section.number,
                sources[program] != nil || sources.count < Self.maximumChannels
            else { continue }
            sources[program] = source
        }
    }

    /// Parses the system time table (section 6.1).
    private mutating func takeTime(_ section: TableSection) {
        var body = section.body
        guard time == nil, body.skip(1), let seconds = body.uint32() else { return }
        time = seconds
    }

    /// Parses a section of an event information table (section 6.5).
    private mutating func takeEvents(_ section: TableSection) {
        var body = section.body
        guard body.skip(1), let count = body.uint8() else { return }
        var found: [Event] = []
        for _ in 0..<count {
            guard body.skip(2), let start = body.uint32(), let high = body.uint8(),
                let low = body.uint16(), let title = body.uint8(), body.skip(Int(title)),
                let descriptors = body.descriptors()
            else { break }
            found.append(
                Event(
                    start: start, length: UInt32(high & 0x0F) << 16 | UInt32(low),
                    services: descriptors.flatMap(\.captionServices)))
        }
        let others = eventCount - (events[section.number]?[section.section]?.count ?? 0)
        guard others + found.count <= Self.maximumEvents else { return }
        eventCount = others + found.count
        events[section.number, default: [:]][section.section] = found
    }
}
