import TestSupport
import UndertextCore

/// Writes transport streams packet by packet, well-formed or not.
struct TransportBuilder {
    /// The bytes so far.
    private(set) var bytes: [UInt8] = []
    /// Bytes from one packet to the next.
    var distance = 188
    private var counters: [Int: UInt8] = [:]

    /// A builder of packets at that distance.
    init(distance: Int = 188) { self.distance = distance }

    /// Appends raw bytes.
    mutating func raw(_ bytes: [UInt8]) { self.bytes += bytes }

    /// Makes the next packet of a PID skip one value of the counter.
    mutating func skipCounter(_ pid: Int) { counters[pid, default: 0] += 1 }

    /// Appends the last packet again, as a sender may.
    mutating func repeatLast() { bytes += bytes.suffix(distance) }

    /// One packet; a payload that is too short is preceded by an adaptation field.
    mutating func packet(
        _ pid: Int, start: Bool = false, payload: ArraySlice<UInt8> = [], clock: Int64? = nil,
        flags: UInt8 = 0, scrambling: UInt8 = 0
    ) {
        var adaptation: [UInt8] = []
        if let clock {
            adaptation = [flags | 0x10]
            // 33 bits, six reserved ones, nine bits of extension.
            adaptation.appendBigEndian(UInt32(truncatingIfNeeded: clock >> 1))
            adaptation += [UInt8(truncatingIfNeeded: clock & 1) << 7 | 0x7E, 0]
        } else if flags != 0 {
            adaptation = [flags]
        }
        let overhead = adaptation.isEmpty ? 0 : adaptation.count + 1
        let room = 184 - overhead - payload.count
        var field: [UInt8] = []
        if !adaptation.isEmpty || room > 0 {
            var body = adaptation
            let length = 183 - payload.count
            if body.isEmpty, length > 0 { body = [0] }
            body += [UInt8](repeating: 0xFF, count: max(0, length - body.count))
            field = [UInt8(length)] + body
        }
        let control: UInt8 = (field.isEmpty ? 0 : 0x20) | (payload.isEmpty ? 0 : 0x10)
        let counter = counters[pid, default: 0]
        if !payload.isEmpty { counters[pid] = (counter + 1) & 0x0F }
        let shown = payload.isEmpty ? (counter &+ 15) & 0x0F : counter & 0x0F
        if distance == 192 { bytes += [0, 0, 0, 0] }
        bytes += [0x47, (start ? 0x40 : 0) | UInt8(pid >> 8), UInt8(pid & 0xFF)]
        bytes.append(scrambling << 6 | control | shown)
        bytes += field + payload
        if distance == 204 { bytes += [UInt8](repeating: 0, count: 16) }
    }

    /// A payload over as many packets as it takes.
    mutating func payload(_ pid: Int, _ payload: [UInt8], clock: Int64? = nil) {
        var rest = payload[...]
        var isFirst = true
        while !rest.isEmpty {
            let part = rest.prefix(isFirst && clock != nil ? 176 : 184)
            packet(pid, start: isFirst, payload: part, clock: isFirst ? clock : nil)
            rest = rest.dropFirst(part.count)
            isFirst = false
        }
    }

    /// A PES packet; `length` overrides the stated length, 0 states none.
    mutating func pes(
        _ pid: Int, _ data: [UInt8], pts: Int64?, dts: Int64? = nil, clock: Int64? = nil,
        streamID: UInt8 = 0xBD, length: Int? = nil
    ) {
        payload(
            pid, Self.pes(data, pts: pts, dts: dts, streamID: streamID, length: length),
            clock: clock)
    }

    static func pes(
        _ data: [UInt8], pts: Int64?, dts: Int64? = nil, streamID: UInt8 = 0xBD,
        length: Int? = nil
    ) -> [UInt8] {
        var times: [UInt8] = []
        if let pts { times += time(pts, mark: dts == nil ? 2 : 3) }
        if let dts { times += time(dts, mark: 1) }
        let flags: UInt8 = pts == nil ? 0 : dts == nil ? 0x80 : 0xC0
        let stated = length ?? 3 + times.count + data.count
        return [0, 0, 1, streamID, UInt8(stated >> 8), UInt8(stated & 0xFF), 0x80, flags]
            + [UInt8(times.count)] + times + data
    }

    private static func time(_ value: Int64, mark: UInt8) -> [UInt8] {
        let bits = UInt64(bitPattern: value) & 0x1_FFFF_FFFF
        func byte(_ value: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: value) }
        return [
            mark << 4 | byte(bits >> 30) << 1 | 1, byte(bits >> 22), byte(bits >> 15) << 1 | 1,
            byte(bits >> 7), byte(bits) << 1 | 1,
        ]
    }

    /// An association table: program numbers and the PIDs of their maps.
    mutating func association(_ programs: [(Int, Int)], version: UInt8 = 0) {
        let body = programs.flatMap { number, pid -> [UInt8] in
            [UInt8(number >> 8), UInt8(number & 0xFF), 0xE0 | UInt8(pid >> 8), UInt8(pid & 0xFF)]
        }
        payload(0, [0] + ProgramTables.section(0, 1, version: version, body))
    }

    /// An elementary stream of a map.
    struct Stream {
        var type: UInt8
        var pid: Int
        var descriptors: [UInt8] = []
    }

    /// A map table.
    mutating func map(
        _ number: Int, pid: Int, clock: Int, version: UInt8 = 0, descriptors: [UInt8] = [],
        _ streams: [Stream]
    ) {
        var body: [UInt8] = [0xE0 | UInt8(clock >> 8), UInt8(clock & 0xFF)]
        body += [0xF0 | UInt8(descriptors.count >> 8), UInt8(descriptors.count & 0xFF)]
        body += descriptors
        for stream in streams {
            body += [stream.type, 0xE0 | UInt8(stream.pid >> 8), UInt8(stream.pid & 0xFF)]
            body += [0xF0 | UInt8(stream.descriptors.count >> 8)]
            body += [UInt8(stream.descriptors.count & 0xFF)] + stream.descriptors
        }
        payload(pid, [0] + ProgramTables.section(2, number, version: version, body))
    }
}

/// Descriptors and payloads of our own.
enum TransportSample {
    static let hdmv: [UInt8] = [0x05, 4] + Array("HDMV".utf8)
    static let teletext: [UInt8] = [0x56, 5] + Array("ger".utf8) + [0x28 | 1, 0x50]
    static let dvb: [UInt8] = [0x59, 8] + Array("eng".utf8) + [0x10, 0, 1, 0, 2]
    static let ac3: [UInt8] = [0x6A, 1, 0]

    /// A DVB subtitle payload of a few segments.
    static func dvbPayload(_ seed: UInt8, size: Int = 40) -> [UInt8] {
        var data: [UInt8] = [0x20, 0x00]
        for type: UInt8 in [0x10, 0x11, 0x13, 0x80] {
            data += [0x0F, type, 0, 1, UInt8(size >> 8), UInt8(size & 0xFF)]
            data += [UInt8](repeating: seed, count: size)
        }
        return data + [0xFF]
    }

    /// A program with sound that has the clock, DVB subtitles, teletext and Blu-ray images.
    ///
    /// `start` is the first time, in ticks of 1/90000 s.
    static func film(
        start: Int64 = 90_000, events: Int = 12, distance: Int = 188, bounded: Bool = true
    ) -> [UInt8] {
        var builder = TransportBuilder(distance: distance)
        for event in 0..<events {
            let time = start + Int64(event) * 45_000
            if event % 4 == 0 {
                builder.association([(1, 0x1000)])
                builder.map(
                    1, pid: 0x1000, clock: 0x100, descriptors: hdmv,
                    [
                        .init(type: 0x06, pid: 0x100, descriptors: ac3),
                        .init(type: 0x06, pid: 0x110, descriptors: dvb),
                        .init(type: 0x06, pid: 0x120, descriptors: teletext),
                        .init(type: 0x90, pid: 0x130),
                    ])
            }
            let length = bounded ? nil : 0
            builder.pes(
                0x100, [UInt8](repeating: UInt8(event), count: 500), pts: time, clock: time)
            builder.pes(
                0x110, dvbPayload(UInt8(event)), pts: time + 9000, length: length)
            builder.pes(
                0x120, [0x10] + [UInt8](repeating: UInt8(event), count: 45), pts: nil,
                length: length)
            builder.pes(
                0x130, [0x16] + [UInt8](repeating: UInt8(event), count: 300), pts: time + 20_000,
                dts: time + 15_000, length: length)
            for filler in 0..<6 {
                builder.packet(0x1FFF, payload: [UInt8](repeating: UInt8(filler), count: 184)[...])
            }
        }
        return builder.bytes
    }
}
