internal import UndertextCore

/// The captions of a file that holds triplets of `cc_data` with times.
struct CaptionFrames {
    /// The triplets of one time.
    struct Frame {
        /// The time in ticks.
        var time: Int64
        /// The place of the triplets in ``CaptionFrames/triplets``.
        var range: Range<Int>
        /// Bytes of the file up to its end.
        var end: Int
    }

    /// The frames in the order of the file.
    private(set) var frames: [Frame] = []
    /// The triplets of all frames.
    var triplets: [UInt8] = []
    /// The languages of services by their names, as the file states them.
    var languages: [String: LanguageTag] = [:]

    /// Ends a frame, whose triplets are those since the frame before; without any there is none.
    mutating func endFrame(at time: Int64, end: Int) {
        let start = frames.last?.range.upperBound ?? 0
        guard triplets.count > start else { return }
        frames.append(Frame(time: time, range: start..<triplets.count, end: end))
    }

    /// A stream for each service that the triplets have characters of: those of CEA-608, then those of CEA-708.
    ///
    /// CC1 if there is none.
    var streams: [StreamDescription] {
        var fields: [[UInt8]] = [[], []]
        for triplet in CaptionTriplet.all(in: triplets) where triplet.isValid && triplet.type < 2 {
            fields[Int(triplet.type)] += [triplet.first, triplet.second]
        }
        let hasPairs = fields.joined().contains { $0 & 0x7F > 0x20 }
        let pairs = hasPairs ? SCCServices([(0, fields[0]), (1, fields[1])]).found : []
        let names =
            pairs.map { ($0.name, CodecID.cea608) }
            + digitalServices.map { ($0.name, .cea708) }
        return (names.isEmpty ? [(CEA608Service.cc1.name, .cea608)] : names).enumerated()
            .map { index, entry in
                var stream = StreamDescription(
                    index: index, kind: .text, codec: entry.1, language: languages[entry.0])
                stream.service = entry.0
                return stream
            }
    }

    /// The services of DTVCC that the triplets have characters of.
    private var digitalServices: [CEA708Service] {
        var assembler = DTVCCAssembler()
        var numbers: Set<Int> = []
        func look(_ packet: DTVCCPacket) {
            for block in packet.blocks.all where !numbers.contains(block.service) {
                var rest = block.data
                while let (code, length) = CEA708Code.first(of: rest) {
                    if case .character(let character?) = code, character != " " {
                        numbers.insert(block.service)
                        break
                    }
                    rest = rest.dropFirst(length)
                }
            }
        }
        for triplet in CaptionTriplet.all(in: triplets) { assembler.add(triplet).forEach(look) }
        if let last = assembler.finish() { look(last) }
        return numbers.sorted().compactMap { CEA708Service($0) }
    }
}

/// The packets of the services of ``CaptionFrames``, in the order of the file.
struct CaptionFramePackets {
    /// The services.
    let streams: [StreamDescription]

    private let captions: CaptionFrames
    private let timeBase: TimeBase
    private let duration: Int64?
    /// The next frame, and the next of the streams.
    private var next = (frame: 0, stream: 0)
    /// For each stream, `true` if its last packet had something to show: padding after it ends a code or a packet.
    private var needsPadding: [Bool]

    /// Creates the packets of `captions`, whose frames last `duration` ticks; `nil` if that is not known.
    init(_ captions: CaptionFrames, timeBase: TimeBase, duration: Int64?) {
        self.captions = captions
        self.timeBase = timeBase
        self.duration = duration
        streams = captions.streams
        needsPadding = streams.map { _ in false }
    }

    /// Bytes of the file up to the end of the last frame that came out.
    var position: Int { next.frame == 0 ? 0 : captions.frames[next.frame - 1].end }

    /// The next packet; `nil` at the end of the file.
    mutating func nextPacket() -> Packet? {
        while next.frame < captions.frames.count {
            let frame = captions.frames[next.frame]
            while next.stream < streams.count {
                let index = next.stream
                next.stream += 1
                let data = data(of: frame, stream: index)
                guard !data.isEmpty else { continue }
                return Packet(
                    streamIndex: index, pts: frame.time, duration: duration, timeBase: timeBase,
                    data: data)
            }
            next = (next.frame + 1, 0)
        }
        return nil
    }

    /// The triplets of a stream in a frame; empty if they are padding that says nothing.
    private mutating func data(of frame: CaptionFrames.Frame, stream index: Int) -> [UInt8] {
        let field = streams[index].service.flatMap(CEA608Service.init(name:))?.field
        let triplets = captions.triplets
        var data: [UInt8] = []
        var isPadding = true
        for offset in stride(from: frame.range.lowerBound, to: frame.range.upperBound, by: 3) {
            let (header, first, second) = (
                triplets[offset], triplets[offset + 1], triplets[offset + 2]
            )
            let isValid = header & 4 != 0
            if let field {
                guard isValid, header & 3 == UInt8(field) else { continue }
                if (first | second) & 0x7F != 0 { isPadding = false }
                data += triplets[offset..<offset + 3]
            } else if header & 2 != 0 {
                // One triplet of padding ends a packet as well as many.
                if !isValid, data.count >= 3, data[data.count - 3] & 4 == 0 { continue }
                if isValid { isPadding = false }
                data += triplets[offset..<offset + 3]
            }
        }
        defer { needsPadding[index] = !isPadding }
        return isPadding && !needsPadding[index] ? [] : data
    }
}
