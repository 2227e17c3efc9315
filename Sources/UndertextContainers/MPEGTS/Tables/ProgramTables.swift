internal import UndertextCore

/// The program association and map tables received so far (ISO/IEC 13818-1, section 2.4.4).
struct ProgramTables {
    /// The PID of the association table.
    static let associationPID = 0
    /// More programs or streams than any multiplex has are damage.
    private static let maximumPrograms = 512
    private static let maximumStreams = 128
    /// The limit on the work of all table changes, in programs and streams examined.
    ///
    /// A multiplex of 20 programs of 10 streams each may change 38,000 times.
    static let maximumWork = 1 << 23

    /// The programs, in the order of the association table.
    private(set) var programs: [TransportProgram] = []
    /// The number of programs and streams examined for changes so far.
    private(set) var work = 0
    /// A description of table content beyond the limits; `nil` if everything is followed.
    private(set) var excess: String?
    /// The most streams of all programs together.
    private let streamLimit: Int
    private let workLimit: Int
    private var streamCount = 0
    /// The places in ``programs`` by the PID of a stream, ascending.
    private var owners: [Int: [Int]] = [:]
    /// The places in ``programs`` by number and PID of the map.
    private var places: [ProgramKey: Int] = [:]
    private var assemblers: [Int: SectionAssembler] = [associationPID: SectionAssembler()]
    private var associationVersion: Int?
    /// Entries of the association table by section, for tables of more than one.
    private var association: [Int: [(number: Int, mapPID: Int)]] = [:]
    private var associationSections = 0

    private struct ProgramKey: Hashable {
        let number: Int
        let mapPID: Int
    }

    /// Creates tables with at most `streamLimit` streams, counted once for each program.
    ///
    /// `workLimit` limits the work for all changes together.
    init(streamLimit: Int, workLimit: Int = maximumWork) {
        self.streamLimit = streamLimit
        self.workLimit = workLimit
    }

    /// The PIDs whose packets ``push(_:_:)`` needs; empty after too many changes.
    var pids: [Int] { isExhausted ? [] : Array(assemblers.keys) }

    private var isExhausted: Bool { work > workLimit }

    /// `true` if the association table and every map it names were found.
    var isComplete: Bool {
        associationVersion != nil && association.count > associationSections
            && programs.allSatisfy { $0.version != nil }
    }

    /// The programs that a stream belongs to.
    func programs(ofPID pid: Int) -> [TransportProgram] {
        owners[pid]?.map { programs[$0] } ?? []
    }

    /// Adds a packet of one of ``pids``; returns `true` if a table changed.
    mutating func push(_ header: TransportHeader, _ bytes: [UInt8]) -> Bool {
        guard !isExhausted, assemblers[header.pid] != nil else { return false }
        var sections: [ArraySlice<UInt8>] = []
        assemblers[header.pid]?.push(header, bytes, to: &sections)
        var hasChanged = false
        for section in sections where !isExhausted {
            let changed =
                header.pid == Self.associationPID
                ? takeAssociation(section) : takeMap(section, pid: header.pid)
            hasChanged = hasChanged || changed
        }
        return hasChanged
    }

    private mutating func takeAssociation(_ section: ArraySlice<UInt8>) -> Bool {
        guard var header = TableSection(section), header.table == 0x00 else { return false }
        var entries: [(number: Int, mapPID: Int)] = []
        while entries.count < Self.maximumPrograms, let number = header.body.uint16(),
            let pid = header.body.uint16().map({ Int($0 & 0x1FFF) })
        {
            // Number 0 is the network information table; PID 0 would be this table itself.
            if number != 0, pid != Self.associationPID { entries.append((Int(number), pid)) }
        }
        if header.version != associationVersion {
            association = [:]
        } else if header.lastSection == associationSections,
            association[header.section].map({ $0.elementsEqual(entries, by: ==) }) ?? false
        {
            return false
        }
        associationVersion = header.version
        associationSections = header.lastSection
        association[header.section] = entries
        let (old, oldPlaces) = (programs, places)
        programs = []
        places = [:]
        // Lazily: the sections together may have far more entries than are kept.
        let kept = association.sorted { $0.key < $1.key }.lazy.flatMap(\.value)
            .prefix(Self.maximumPrograms)
        for entry in kept {
            let key = ProgramKey(number: entry.number, mapPID: entry.mapPID)
            // A program that is listed twice counts once.
            guard places[key] == nil else { continue }
            places[key] = programs.count
            programs.append(
                oldPlaces[key].map { old[$0] }
                    ?? TransportProgram(
                        number: entry.number, mapPID: entry.mapPID, clockPID: nil, version: nil,
                        registration: nil, streams: []))
        }
        // Sections that change nothing are as much work.
        work += old.count + programs.count + association.count
        guard programs != old else {
            noteExhaustion()
            return isExhausted
        }
        let wanted = Set(programs.map(\.mapPID)).union([Self.associationPID])
        assemblers = assemblers.filter { wanted.contains($0.key) }
        for pid in wanted where assemblers[pid] == nil { assemblers[pid] = SectionAssembler() }
        followChange()
        return true
    }

    /// Finds out once for each change which programs have which streams.
    private mutating func followChange() {
        owners.removeAll(keepingCapacity: true)
        streamCount = 0
        for (place, program) in programs.enumerated() {
            streamCount += program.streams.count
            // A map may name a PID twice.
            for stream in program.streams where owners[stream.pid]?.last != place {
                owners[stream.pid, default: []].append(place)
            }
        }
        work += programs.count + streamCount
        noteExhaustion()
    }

    private mutating func noteExhaustion() {
        if isExhausted { excess = "the tables change too often; further changes are ignored" }
    }

    private mutating func takeMap(_ section: ArraySlice<UInt8>, pid: Int) -> Bool {
        guard var header = TableSection(section), header.table == 0x02,
            let index = places[ProgramKey(number: header.number, mapPID: pid)],
            let clock = header.body.uint16().map({ Int($0 & 0x1FFF) }),
            let common = header.body.descriptors()
        else { return false }
        var program = programs[index]
        program.version = header.version
        // 0x1FFF: no clock.
        program.clockPID = clock == 0x1FFF ? nil : clock
        program.registration =
            common.first { $0.tag == 0x05 && $0.bytes.count >= 4 }.map { Array($0.bytes.prefix(4)) }
        program.descriptors = common
        program.streams = []
        let room = streamLimit - (streamCount - programs[index].streams.count)
        while program.streams.count < Self.maximumStreams, let type = header.body.uint8(),
            let streamPID = header.body.uint16().map({ Int($0 & 0x1FFF) }), streamPID != pid,
            let descriptors = header.body.descriptors()
        {
            guard program.streams.count < room else {
                excess = excess ?? "the tables list more than \(streamLimit) streams"
                break
            }
            program.streams.append(
                TransportStream(pid: streamPID, streamType: type, descriptors: descriptors))
        }
        guard program != programs[index] else { return false }
        programs[index] = program
        followChange()
        return true
    }
}
