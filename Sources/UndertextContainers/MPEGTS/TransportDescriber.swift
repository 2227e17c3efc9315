package import UndertextCore

/// Describes a transport stream by its tables and its beginning as libavformat does, if they leave no doubt about what
/// libavformat would report.
///
/// The order, the kinds and the codecs of the streams, languages, dispositions and headers of subtitles follow from the
/// program map. The start is the first time of audio or video. A file with several programs, with changing tables, with
/// streams that no table lists, with damage, or with anything else that libavformat finds out by decoding is left to it.
/// The duration is not known, because libavformat searches the end for it, and the frame rate only of MPEG-2.
package struct TransportDescriber {
    private let file: TransportStreamFile

    /// Bytes that are searched: more than libavformat examines by default (`probesize`).
    private static let searchLength: UInt64 = 6 << 20
    /// Bytes in which streams have to begin, so that libavformat finds them, too.
    private static let safeLength: UInt64 = 2 << 20
    /// The same in ticks after the first time: libavformat examines seven seconds.
    fileprivate static let safeTime: Int64 = 3 * 90_000
    /// First times that are far from the wrap of the 33-bit clock.
    private static let safeTimes: Range<Int64> = 0..<(1 << 33) - 3600 * 90_000
    /// Packets in which a file is recognized for sure.
    private static let packetsAtLeast: UInt64 = 12

    /// Prepares the description of a file.
    package init(_ file: TransportStreamFile) { self.file = file }

    /// The description, or `nil` if libavformat has to give it.
    ///
    /// - Throws: `UndertextError` of the source.
    package func description() throws(UndertextError) -> ContainerDescription? {
        let tables = file.tables
        guard tables.isComplete, tables.excess == nil, tables.programs.count == 1,
            let size = file.source.size,
            size >= UInt64(file.packetSize) * Self.packetsAtLeast
        else { return nil }
        let program = tables.programs[0]
        guard Set(program.streams.map(\.pid)).count == program.streams.count else { return nil }
        var streams: [StreamDescription] = []
        for entry in program.streams {
            guard let stream = entry.description(index: streams.count, in: program) else {
                return nil
            }
            streams.append(stream)
        }
        guard !streams.isEmpty, let beginnings = try beginnings(of: streams),
            let start = start(of: streams, beginnings)
        else { return nil }
        for (index, beginning) in beginnings.enumerated() {
            streams[index].startTime = beginning.first
            streams[index].frameRate = beginning.frameRate
            // libavformat decodes PGS until it knows the size.
            guard streams[index].codec == .pgs, beginning.isPresent else { continue }
            guard let size = beginning.size, let first = beginning.first,
                beginning.position <= Self.safeLength, first - start <= Self.safeTime
            else { return nil }
            streams[index].size = size
        }
        return ContainerDescription(
            formatName: "mpegts", formatLongName: "MPEG-TS (MPEG-2 Transport Stream)",
            startTime: rescale(start, from: .mpeg, to: .microseconds), size: size, streams: streams,
            programs: [
                Program(
                    id: program.number, mapPID: program.mapPID,
                    clockPID: program.clockPID ?? 0x1FFF, streams: Array(streams.indices), tags: [])
            ])
    }

    /// The first time of audio and video, or of subtitles if there are only those; `nil` if it is in doubt.
    private func start(of streams: [StreamDescription], _ beginnings: [StreamBeginning]) -> Int64? {
        let media = zip(streams, beginnings).filter { [.video, .audio].contains($0.0.kind) }
        // Without them, libavformat takes other times of a damaged file.
        guard !media.isEmpty else { return nil }
        var times: [Int64] = []
        for (_, beginning) in media {
            guard let time = beginning.first, beginning.position <= Self.safeLength,
                Self.safeTimes.contains(time)
            else { return nil }
            times.append(time)
        }
        guard let start = times.min(), let last = times.max(), last - start <= Self.safeTime,
            // libavformat may prefer the time of a subtitle a little before.
            beginnings.allSatisfy({ $0.first.map { $0 >= start } ?? !$0.isPresent })
        else { return nil }
        return start
    }

    /// Goes over the beginning of the file; `nil` if something in it is unusual.
    private func beginnings(
        of streams: [StreamDescription]
    ) throws(UndertextError) -> [StreamBeginning]? {
        var found = streams.map { StreamBeginning($0) }
        var slots = [Int16](repeating: -1, count: 0x2000)
        for (index, stream) in streams.enumerated() {
            slots[Int(stream.id ?? 0) & 0x1FFF] = Int16(index)
        }
        var tables = file.tables
        let tablePIDs = Set(tables.pids)
        var scanner = PacketScanner(
            file.source, layout: file.layout, head: file.head, cancellation: file.cancellation)
        scanner.setInterest(PacketScanner.Interest.all, for: Array(0..<0x1FFF))
        while scanner.position < Self.searchLength {
            switch try scanner.advance() {
            case .packet(let header, let block, let offset):
                let slot = Int(slots[header.pid])
                if slot >= 0 {
                    guard !header.hasError, !header.isScrambled, !header.isVoid,
                        found[slot].add(header, block, at: offset)
                    else { return nil }
                } else if tablePIDs.contains(header.pid) {
                    guard !tables.push(header, block) else { return nil }
                } else if header.pid > 0x1F, header.isStart,
                    block[header.payload].starts(with: [0, 0, 1])
                {
                    // libavformat makes a stream of it.
                    return nil
                }
            case .block: continue
            case .garbage: return nil
            case .end(let remainder): return remainder == 0 ? found : nil
            }
        }
        return found
    }
}

/// The first PES packets of a stream.
private struct StreamBeginning {
    /// The first presentation time; `nil` if there is none yet.
    private(set) var first: Int64?
    /// The offset of the first packet in the file.
    private(set) var position: UInt64 = .max
    /// The canvas of the first composition of PGS.
    private(set) var size: PixelSize?
    /// `true` if a PES packet begins in the part that was searched.
    var isPresent: Bool { position != .max }

    private let codec: CodecID
    /// `true` for MPEG-2, whose frame rate is wanted.
    private let isVideo: Bool
    /// Frames per second by the sequence header.
    private var statedRate: TimeBase?
    private var times: [Int64] = []
    private var pictures = 0
    private var units = 0
    /// The last bytes of the payload, in which a start code may begin.
    private var window: UInt32 = .max

    /// PES packets of video by which the frame rate is measured.
    private static let frames = 49
    /// The fewest of them.
    private static let framesAtLeast = 17

    init(_ stream: StreamDescription) {
        codec = stream.codec
        isVideo = stream.codec == .mpeg2Video
    }

    /// Adds a transport packet; returns `false` if it is unusual.
    mutating func add(_ header: TransportHeader, _ block: [UInt8], at offset: UInt64) -> Bool {
        guard header.hasPayload, header.isStart || isVideo && isPresent else { return true }
        let payload = block[header.payload]
        guard header.isStart else {
            if units <= Self.frames { countPictures(payload) }
            return true
        }
        guard !isPresent || isVideo && units <= Self.frames else { return true }
        guard let packet = TimedPESHeader(payload), let pts = packet.pts else { return isPresent }
        if !isPresent {
            // The first decoding time of all streams decides where the clock wraps.
            guard 0...TransportDescriber.safeTime ~= pts - (packet.dts ?? pts) else { return false }
            first = pts
            position = offset
            statedRate = isVideo ? Self.rate(payload[packet.payload...]) : nil
            if codec == .pgs {
                size = Self.canvas(payload[packet.payload...])
                if size == nil { return false }
            }
        }
        guard isVideo else { return true }
        units += 1
        if units <= Self.frames {
            times.append(packet.dts ?? pts)
            countPictures(payload[packet.payload...])
        }
        return true
    }

    /// Counts the starts of pictures (ISO/IEC 13818-2, section 6.2.3).
    private mutating func countPictures(_ bytes: ArraySlice<UInt8>) {
        for byte in bytes {
            window = window << 8 | UInt32(byte)
            if window == 0x0000_0100 { pictures += 1 }
        }
    }

    /// The stated frame rate, if each PES packet is one frame and the decoding times agree: then no fields are repeated.
    var frameRate: TimeBase? {
        let count = Int64(times.count - 1)
        guard let rate = statedRate, times.count >= Self.framesAtLeast, pictures == times.count,
            let start = times.first, let last = times.last
        else { return nil }
        let exact = Int64(rate.denominator) * 90_000 * count
        let isSteady = zip(times.dropFirst(), times).allSatisfy { next, time in
            let error = (next - time) * Int64(rate.numerator) - Int64(rate.denominator) * 90_000
            // Times of files that were Matroska are rounded to milliseconds.
            return abs(error) <= 135 * Int64(rate.numerator)
        }
        guard isSteady, abs((last - start) * Int64(rate.numerator) - exact) * 200 <= exact else {
            return nil
        }
        return rate
    }

    /// The frame rate in a sequence header and its extension (ISO/IEC 13818-2, sections 6.2.2.1 and 6.2.2.3).
    private static func rate(_ bytes: ArraySlice<UInt8>) -> TimeBase? {
        let rates = [
            TimeBase(24_000, 1001), TimeBase(24, 1), TimeBase(25, 1), TimeBase(30_000, 1001),
            TimeBase(30, 1), TimeBase(50, 1), TimeBase(60_000, 1001), TimeBase(60, 1),
        ]
        var reader = ByteReader(bytes)
        guard reader.uint32() == 0x1B3, reader.skip(3), let code = reader.uint8().map({ $0 & 0xF }),
            rates.indices.contains(Int(code) - 1), reader.skip(3),
            // No quantizer matrices.
            let flags = reader.uint8(), flags & 3 == 0,
            reader.uint32() == 0x1B5, let kind = reader.uint8(), kind >> 4 == 1, reader.skip(4),
            // The factor of the rate is 1.
            let factor = reader.uint8(), factor & 0x7F == 0
        else { return nil }
        return rates[Int(code) - 1]
    }

    /// The canvas in a presentation composition segment.
    private static func canvas(_ bytes: ArraySlice<UInt8>) -> PixelSize? {
        var reader = ByteReader(bytes)
        guard reader.uint8() == 0x16, reader.uint16() ?? 0 >= 11, let width = reader.uint16(),
            let height = reader.uint16(), (1...8192).contains(width), (1...8192).contains(height)
        else { return nil }
        return PixelSize(width: Int(width), height: Int(height))
    }
}

/// The header of a PES packet in one transport packet (ISO/IEC 13818-1, section 2.4.3.7).
private struct TimedPESHeader {
    /// The presentation time, 33 bits.
    private(set) var pts: Int64?
    /// The decoding time, 33 bits.
    private(set) var dts: Int64?
    /// The offset of the payload in the bytes.
    let payload: Int

    /// Reads the header; `nil` if it is none with times, or not whole.
    init?(_ bytes: ArraySlice<UInt8>) {
        var reader = ByteReader(bytes)
        guard reader.uint24() == 1, let stream = reader.uint8(), stream == 0xBD || stream >= 0xC0,
            ![0xF0, 0xF1, 0xF2, 0xF8, 0xFF].contains(stream), reader.skip(2),
            let flags = reader.uint16(), flags >> 14 == 2, let length = reader.uint8(),
            let fields = reader.slice(Int(length))
        else { return nil }
        payload = fields.endIndex
        let kind = flags >> 6 & 3
        var times = ByteReader(fields)
        guard kind >= 2 else { return }
        pts = Self.time(&times)
        if kind == 3 { dts = Self.time(&times) }
    }

    private static func time(_ reader: inout ByteReader) -> Int64? {
        guard let bits = reader.unsigned(5) else { return nil }
        return Int64(bits >> 33 & 7) << 30 | Int64(bits >> 17 & 0x7FFF) << 15
            | Int64(bits >> 1 & 0x7FFF)
    }
}

extension CodecID {
    fileprivate static let mpeg2Video = CodecID(rawValue: "mpeg2video")
}

extension TransportStream {
    /// Descriptors of subtitle streams whose meaning here is known: registration, language, subtitling, component.
    private static let plainDescriptors: Set<UInt8> = [0x05, 0x0A, 0x52, 0x59]

    /// The stream as libavformat describes it by the program map; `nil` if that is in doubt.
    fileprivate func description(index: Int, in program: TransportProgram) -> StreamDescription? {
        guard pid > 0x1F, let (kind, codec) = content(in: program) else { return nil }
        var stream = StreamDescription(
            index: index, kind: kind, codec: codec, id: Int64(pid), timeBase: .mpeg,
            details: StreamDetails(
                codecType: kind == .bitmap ? "subtitle" : kind.rawValue, codecName: codec.rawValue,
                codecTag: UInt32(streamType), codecTagString: "[\(streamType)][0][0][0]",
                showsID: true))
        guard kind == .bitmap else { return stream }
        let languageFields = descriptors.filter { $0.tag == 0x0A }
        guard descriptors.allSatisfy({ Self.plainDescriptors.contains($0.tag) }),
            // A type of audio changes the disposition.
            languageFields.count <= 1,
            languageFields.allSatisfy({ $0.bytes.count == 4 && $0.bytes[3] == 0 })
        else { return nil }
        var language = languageFields.first.map { $0.bytes.prefix(3) }
        if codec == .dvb {
            let pages = dvbSubtitlePages
            // Not all versions regard type 0x25 as one for the hard of hearing.
            guard descriptors.count(where: { $0.tag == 0x59 }) == 1, pages.count == 1,
                let page = pages.first, page.type != 0x25,
                let fields = descriptors.first(where: { $0.tag == 0x59 })?.bytes,
                fields.count == 8
            else { return nil }
            if page.isHearingImpaired { stream.disposition = .hearingImpaired }
            stream.codecPrivate = Array(fields[4...]) + [fields[3]]
            stream.details?.extradataSize = 5
            language = fields.prefix(3)
        }
        guard let language else { return stream }
        guard language.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        let code = String(decoding: language, as: UTF8.self)
        stream.language = LanguageTag(code)
        stream.tags = [MetadataTag("language", code)]
        return stream
    }

    /// The kind and the codec of streams that libavformat recognizes by the program map alone.
    private func content(in program: TransportProgram) -> (MediaKind, CodecID)? {
        if let codec = subtitleCodec(in: program) {
            return codec == .dvb || codec == .pgs ? (.bitmap, codec) : nil
        }
        let isBluRay = program.registration == Array("HDMV".utf8)
        switch streamType {
        case 0x02: return (.video, .mpeg2Video)
        case 0x1B: return (.video, CodecID(rawValue: "h264"))
        case 0x24: return (.video, CodecID(rawValue: "hevc"))
        case 0x03, 0x04: return (.audio, CodecID(rawValue: "mp2"))
        case 0x0F: return (.audio, CodecID(rawValue: "aac"))
        case 0x11: return (.audio, CodecID(rawValue: "aac_latm"))
        case 0x81: return (.audio, CodecID(rawValue: "ac3"))
        case 0x87: return (.audio, CodecID(rawValue: "eac3"))
        // 0x83 is two streams.
        case 0x84 where isBluRay, 0xA1 where isBluRay: return (.audio, CodecID(rawValue: "eac3"))
        case 0x82 where isBluRay, 0x85 where isBluRay, 0x86 where isBluRay:
            return (.audio, CodecID(rawValue: "dts"))
        case 0x06:
            let first = descriptors.first { [0x56, 0x59, 0x6A, 0x7A, 0x7B].contains($0.tag) }
            switch first?.tag {
            case 0x6A: return (.audio, CodecID(rawValue: "ac3"))
            case 0x7A: return (.audio, CodecID(rawValue: "eac3"))
            default: return nil
            }
        default: return nil
        }
    }
}
