internal import MediaCore

/// What the association and map tables have said so far (ISO/IEC 13818-1, section 2.4.4).
struct ProgramTables {
    /// The PID of the association table.
    static let associationPID = 0
    /// More programmes or streams than any multiplex has are damage.
    private static let maximumPrograms = 512
    private static let maximumStreams = 128

    /// The programmes, in the order of the association table.
    private(set) var programs: [TransportProgram] = []
    private var assemblers: [Int: SectionAssembler] = [associationPID: SectionAssembler()]
    private var associationVersion: Int?
    /// Entries of the association table by section, for tables of more than one.
    private var association: [Int: [(number: Int, mapPID: Int)]] = [:]
    private var associationSections = 0

    /// The PIDs whose packets ``push(_:_:)`` wants.
    var pids: [Int] { Array(assemblers.keys) }

    /// Whether the association table and every map it names were found.
    var isComplete: Bool {
        associationVersion != nil && association.count > associationSections
            && programs.allSatisfy { $0.version != nil }
    }

    /// The programmes that a stream belongs to.
    func programs(ofPID pid: Int) -> [TransportProgram] {
        programs.filter { $0.streams.contains { $0.pid == pid } }
    }

    /// Takes a packet of one of ``pids``; whether a table changed.
    mutating func push(_ header: TransportHeader, _ bytes: [UInt8]) -> Bool {
        guard assemblers[header.pid] != nil else { return false }
        var sections: [ArraySlice<UInt8>] = []
        assemblers[header.pid]?.push(header, bytes, to: &sections)
        var hasChanged = false
        for section in sections {
            let changed =
                header.pid == Self.associationPID
                ? takeAssociation(section) : takeMap(section, pid: header.pid)
            hasChanged = hasChanged || changed
        }
        return hasChanged
    }

    private struct SectionHeader {
        let number: Int
        let version: Int
        let section: Int
        let lastSection: Int
        var body: ByteReader

        /// `nil` for another table, or one that is not in force yet.
        init?(_ section: ArraySlice<UInt8>, table: UInt8) {
            // Behind the body are four bytes of check sum.
            var reader = ByteReader(section.dropLast(4))
            guard reader.uint8() == table, reader.skip(2), let number = reader.uint16(),
                let flags = reader.uint8(), flags & 1 == 1, let index = reader.uint8(),
                let last = reader.uint8()
            else { return nil }
            self.number = Int(number)
            version = Int(flags >> 1 & 0x1F)
            self.section = Int(index)
            lastSection = Int(last)
            body = reader
        }
    }

    private mutating func takeAssociation(_ section: ArraySlice<UInt8>) -> Bool {
        guard var header = SectionHeader(section, table: 0x00) else { return false }
        var entries: [(number: Int, mapPID: Int)] = []
        while entries.count < Self.maximumPrograms, let number = header.body.uint16(),
            let pid = header.body.uint16().map({ Int($0 & 0x1FFF) })
        {
            // Number 0 is the network information table; PID 0 would be this table itself.
            if number != 0, pid != Self.associationPID { entries.append((Int(number), pid)) }
        }
        if header.version != associationVersion { association = [:] }
        associationVersion = header.version
        associationSections = header.lastSection
        association[header.section] = entries
        let old = programs
        programs = association.sorted { $0.key < $1.key }.flatMap(\.value)
            .prefix(Self.maximumPrograms).map { entry in
                old.first { $0.number == entry.number && $0.mapPID == entry.mapPID }
                    ?? TransportProgram(
                        number: entry.number, mapPID: entry.mapPID, clockPID: nil, version: nil,
                        registration: nil, streams: [])
            }
        guard programs != old else { return false }
        let wanted = Set(programs.map(\.mapPID)).union([Self.associationPID])
        assemblers = assemblers.filter { wanted.contains($0.key) }
        for pid in wanted where assemblers[pid] == nil { assemblers[pid] = SectionAssembler() }
        return true
    }

    private mutating func takeMap(_ section: ArraySlice<UInt8>, pid: Int) -> Bool {
        guard var header = SectionHeader(section, table: 0x02),
            let index = programs.firstIndex(where: {
                $0.number == header.number && $0.mapPID == pid
            }),
            let clock = header.body.uint16().map({ Int($0 & 0x1FFF) }),
            let common = Self.descriptors(&header.body)
        else { return false }
        var program = programs[index]
        program.version = header.version
        // 0x1FFF: no clock.
        program.clockPID = clock == 0x1FFF ? nil : clock
        program.registration =
            common.first { $0.tag == 0x05 && $0.bytes.count >= 4 }.map { Array($0.bytes.prefix(4)) }
        program.streams = []
        while program.streams.count < Self.maximumStreams, let type = header.body.uint8(),
            let streamPID = header.body.uint16().map({ Int($0 & 0x1FFF) }), streamPID != pid,
            let descriptors = Self.descriptors(&header.body)
        {
            program.streams.append(
                TransportStream(pid: streamPID, streamType: type, descriptors: descriptors))
        }
        guard program != programs[index] else { return false }
        programs[index] = program
        return true
    }

    /// A list of descriptors preceded by its length; `nil` if it reaches beyond the section.
    private static func descriptors(_ reader: inout ByteReader) -> [StreamDescriptor]? {
        guard let length = reader.uint16(), let bytes = reader.slice(Int(length & 0x0FFF)) else {
            return nil
        }
        var list = ByteReader(bytes)
        var result: [StreamDescriptor] = []
        while let tag = list.uint8(), let count = list.uint8(), let body = list.slice(Int(count)) {
            result.append(StreamDescriptor(tag: tag, bytes: Array(body)))
        }
        return result
    }
}
