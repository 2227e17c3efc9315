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

    /// A stream for each service that the triplets have characters of.
    var streams: [StreamDescription] {
        var survey = CaptionSurvey()
        survey.add(triplets, checksParity: false)
        survey.finish()
        return survey.streams(languages)
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
