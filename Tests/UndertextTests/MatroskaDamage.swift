import TestSupport
import Undertext
import UndertextCore

/// The bits of a Matroska file to flip: those that locate and describe blocks, not their contents.
struct MatroskaPlaces {
    /// The identifier, the offset and the end of an element directly in the segment.
    struct Part {
        var id: UInt32
        var start: Int
        var end: Int
    }

    private(set) var parts: [Part] = []
    private let count: Int
    private static let cluster: UInt32 = 0x1F43_B675
    private static let cues: UInt32 = 0x1C53_BB6B
    private static let described: Set<UInt32> = [
        0x114D_9B74, 0x1549_A966, 0x1254_C367, 0x1654_AE6B,
    ]

    init(_ bytes: [UInt8]) {
        count = bytes.count
        var position = 0
        while let header = Self.header(bytes, at: position) {
            if header.id == 0x1853_8067 {
                position = header.data
                continue
            }
            let end = min(bytes.count, header.data + header.size)
            parts.append(Part(id: header.id, start: position, end: end))
            position = end
        }
    }

    private static func header(
        _ bytes: [UInt8], at start: Int
    ) -> (id: UInt32, data: Int, size: Int)? {
        guard start + 12 < bytes.count else { return nil }
        let idEnd = start + bytes[start].leadingZeroBitCount + 1
        let sizeEnd = idEnd + bytes[idEnd].leadingZeroBitCount + 1
        guard sizeEnd - idEnd <= 8, idEnd - start <= 4 else { return nil }
        let id = bytes[start..<idEnd].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        var size = bytes[idEnd..<sizeEnd].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        size &= (1 << UInt64(7 * (sizeEnd - idEnd))) - 1
        return (id, sizeEnd, Int(clamping: min(size, 1 << 40)))
    }

    /// The Cues element.
    var index: [Range<Int>] { parts.filter { $0.id == Self.cues }.map { $0.start..<$0.end } }

    /// A few bytes on both sides of it.
    var surroundings: [Range<Int>] {
        index.flatMap {
            [
                max(0, $0.lowerBound - 8)..<$0.lowerBound,
                $0.upperBound..<min(count, $0.upperBound + 8),
            ]
        }
    }

    /// SeekHead, Info, Tracks and Tags.
    var header: [Range<Int>] {
        parts.filter { Self.described.contains($0.id) }.map { $0.start..<$0.end }
    }

    /// The beginnings of clusters: identifier, size, checksum, timestamp.
    var clusterStarts: [Range<Int>] {
        parts.filter { $0.id == Self.cluster }.map { $0.start..<min($0.end, $0.start + 20) }
    }
}

/// The packets and diagnostics of one way of reading a file.
struct ReadOutcome {
    /// A packet as it counts here: two reads may differ in keys and positions.
    struct Line: Hashable {
        var stream: Int
        var pts: Int64?
        var data: [UInt8]
    }

    var lines: [Line] = []
    /// Diagnostics of the severity error, or the error that ended the reading: exit codes 1 and 3.
    var problems: [String] = []
    var warnings: [String] = []
    var path: ReadPath?

    init(_ bytes: [UInt8], _ io: ReadPathPreference, single: Int? = nil) {
        var options = Media.Options()
        options.io = io
        do throws(UndertextError) {
            let file = try Media(
                .bytes(bytes, name: "film.mkv"), options: options)
            note(file.diagnostics)
            let tracks = file.subtitleTracks
            if tracks.isEmpty { problems.append("no-track") }
            // Such a track is skipped with a warning.
            if tracks.contains(where: { $0.codec == .unknown }) {
                problems.append("no-decoder")
            }
            let reader = try file.packetReader(
                of: tracks.filter { single == nil || $0.id == single })
            path = reader.path
            do throws(UndertextError) {
                while let packet = try reader.nextPacket() {
                    lines.append(
                        Line(stream: packet.streamIndex, pts: packet.pts, data: packet.data))
                }
            } catch {
                problems.append(error.code.name)
            }
            note(reader.takeDiagnostics())
            path = reader.path
        } catch {
            problems.append(error.code.name)
        }
    }

    private mutating func note(_ diagnostics: [Diagnostic]) {
        problems += diagnostics.filter { $0.severity == .error }.map(\.code)
        warnings += diagnostics.filter { $0.severity == .warning }.map(\.code)
    }

    /// The packets of another reading that this one lacks.
    ///
    /// - Parameters:
    ///   - other: the other reading.
    ///   - ignoringTime: `true` to compare only the data.
    ///   - words: the data of the packets to compare.
    /// - Returns: the packets, as often as they are missing.
    func lacks(
        _ other: ReadOutcome, ignoringTime: Bool = false, of words: Set<[UInt8]>? = nil
    ) -> [Line] {
        func key(_ line: Line) -> Line {
            ignoringTime ? Line(stream: 0, pts: nil, data: line.data) : line
        }
        var counts: [Line: Int] = [:]
        for line in lines { counts[key(line), default: 0] += 1 }
        return other.lines.filter { line in
            guard words?.contains(line.data) != false else { return false }
            let left = counts[key(line), default: 0]
            counts[key(line)] = left - 1
            return left <= 0
        }
    }
}

/// Flips single bits and counts silent effects on cues: without an error or a diagnostic of that severity.
struct FlipCount: CustomStringConvertible {
    private(set) var flips = 0
    /// A walk or a scan of the same damaged file finds a cue that does not come out.
    private(set) var lost: [String] = []
    /// Cues of the undamaged file that are missing at any time.
    private(set) var vanished: [String] = []
    /// Cues that moved to another time without a warning.
    private(set) var moved: [String] = []

    var description: String {
        "\(flips) flips: \(lost.count) lose, \(vanished.count) hide, \(moved.count) move cues"
    }

    static func += (left: inout FlipCount, right: FlipCount) {
        left.flips += right.flips
        left.lost += right.lost
        left.vanished += right.vanished
        left.moved += right.moved
    }

    /// Flips `count` bits in `ranges` of a file, and reads all subtitles of it, or those of `single`.
    mutating func flip(
        _ name: String, _ bytes: [UInt8], in ranges: [Range<Int>], count: Int, seed: UInt64,
        single: Int?
    ) {
        let places = ranges.flatMap { Array($0) }
        guard !places.isEmpty else { return }
        let intact = ReadOutcome(bytes, .auto, single: single)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<count {
            let place = places[Int.random(in: 0..<places.count, using: &generator)]
            let bit = UInt8.random(in: 0..<8, using: &generator)
            var damaged = bytes
            damaged[place] ^= 1 << bit
            check("\(name), bit \(bit) of byte \(place)", damaged, intact, single)
        }
    }

    private mutating func check(
        _ name: String, _ damaged: [UInt8], _ intact: ReadOutcome, _ single: Int?
    ) {
        flips += 1
        let found = ReadOutcome(damaged, .auto, single: single)
        guard found.problems.isEmpty else { return }
        let others = [ReadPathPreference.walk, .scan].map {
            ReadOutcome(damaged, $0, single: single)
        }
        let path = found.path?.rawValue ?? "nothing"
        // An image whose block became one of the subtitles is no cue.
        let words = Set(intact.lines.map(\.data))
        if others.contains(where: { !found.lacks($0, of: words).isEmpty }) {
            lost.append("\(name), \(path)")
        }
        if !found.lacks(intact, ignoringTime: true).isEmpty {
            vanished.append("\(name), \(path) \(found.warnings)")
        } else if found.warnings.isEmpty, !found.lacks(intact).isEmpty {
            moved.append("\(name), \(path)")
        }
    }
}
