internal import UndertextCore

/// The details of one stream as libavformat reports them: codec headers, bit rates and tags.
struct MP4TrackDetails {
    private let track: MP4TrackHeader
    private let survey: MP4SampleSurvey
    private let first: ArraySlice<UInt8>
    private let movie: TimeBase
    private let isQuickTime: Bool
    private let version: Int

    /// The version of libavformat from which on only tracks of QuickTime have a vendor.
    private static let vendorsAreOfQuickTime = 63
    /// Boxes of a video entry whose content changes nothing that is reported, and the least length of each.
    private static let videoBoxes = [
        "btrt": 0, "pasp": 8, "colr": 10, "clap": 32, "fiel": 2, "mdcv": 24, "clli": 4,
        "dvcC": 24, "dvvC": 24, "chrm": 0, "gama": 0,
    ]
    /// The identifier of a box that marks video for the iPod.
    private static let iPod: [UInt8] = [
        0x6B, 0x68, 0x40, 0xF2, 0x5F, 0x24, 0x4F, 0xC5, 0xBA, 0x39, 0xA5, 0x1B, 0xCF, 0x03, 0x23,
        0xF3,
    ]
    /// The same of a sound entry; the decoder has the last word on the channels of a codec.
    private static let soundBoxes = ["btrt": 0, "frma": 4, "srat": 0, "mp4a": 0, "\0\0\0\0": 0]

    /// Prepares the details of a track.
    ///
    /// - Parameters:
    ///   - track: The headers of the track.
    ///   - survey: Its samples.
    ///   - first: The beginning of the first sample of sound.
    ///   - movie: The unit of the times of edit lists.
    ///   - isQuickTime: `true` for QuickTime, where names have a length and vendors are tags.
    ///   - version: The major version of libavformat.
    init(
        _ track: MP4TrackHeader, _ survey: MP4SampleSurvey, first: ArraySlice<UInt8>,
        movie: TimeBase, isQuickTime: Bool, version: Int
    ) {
        self.version = version
        self.track = track
        self.survey = survey
        self.first = first
        self.movie = movie
        self.isQuickTime = isQuickTime
    }

    /// Adds the details to a stream; `false` if libavformat may report something else.
    func complete(_ stream: inout StreamDescription) -> Bool {
        guard let tags = tags, hasUsualEdits(stream.kind), setBitRate(of: &stream) else {
            return false
        }
        stream.tags = tags.tags
        switch stream.kind {
        case .video: return completeVideo(&stream)
        case .audio: return completeAudio(&stream)
        // Versions of libavformat differ in whether they know TTML.
        case .text: return track.entry.format != "stpp"
        case .data: return true
        case .bitmap, .attachment: return false
        }
    }

    // MARK: Times and rates

    /// `true` if an edit list shows media from the first samples on.
    private func hasUsualEdits(_ kind: MediaKind) -> Bool {
        guard let edits = track.edits, kind == .video || kind == .audio else { return true }
        // libavformat begins a second before the edit to read sound.
        return edits.length > 0 && edits.mediaStart < track.duration
            && (kind == .video || edits.mediaStart <= Int64(track.timeBase.denominator))
    }

    /// Sets the duration, and the bit rate by the size of all samples; `false` if they are in doubt.
    private func setBitRate(of stream: inout StreamDescription) -> Bool {
        let duration = min(track.mediaDuration, track.duration)
        guard duration > 0, track.mediaDuration < Int64(UInt32.max) else { return false }
        let (bits, overflow) = survey.bytes.multipliedReportingOverflow(by: 8)
        let (product, overflows) = bits.multipliedReportingOverflow(
            by: UInt64(track.timeBase.denominator))
        guard !overflow, !overflows,
            let rate = Int64(exactly: product / UInt64(duration))
        else { return false }
        stream.bitRate = rate > 0 ? rate : nil
        stream.duration = duration
        if let edits = track.edits {
            // Each is rounded by itself.
            guard let delay = rescale(edits.delay, from: movie, to: track.timeBase),
                let length = rescale(edits.length, from: movie, to: track.timeBase),
                delay < 1 << 60, length < 1 << 60
            else { return false }
            stream.duration = min(duration, delay + length)
        }
        return true
    }

    // MARK: Tags

    /// The tags in the order in which libavformat meets them.
    private var tags: MP4TagList? {
        var list = MP4TagList()
        guard let created = MP4Tags.creationTime(track.created),
            let language = MP4Language(track.language)
        else { return nil }
        for tag in created { list.set(tag.key, tag.value) }
        if let code = language.code { list.set("language", code) }
        if let name = track.handlerNames.first(where: { $0.first.map { $0 != 0 } == true }) {
            // In QuickTime a length precedes the name.
            let isCounted = isQuickTime && Int(name[0]) == name.count - 1
            list.set("handler_name", bytes: isCounted ? name.dropFirst() : name[...])
        }
        switch track.handler {
        case "vide":
            let body = track.entry.body
            guard body.count >= MP4SampleEntry.videoFields else { return nil }
            setVendor(body[4..<8], in: &list)
            guard let encoder = encoderName else { return nil }
            if !encoder.isEmpty { list.set("encoder", encoder) }
        case "soun":
            guard track.entry.body.count >= MP4SampleEntry.soundFields else { return nil }
            setVendor(track.entry.body[4..<8], in: &list)
        default: break
        }
        return list
    }

    private func setVendor(_ code: ArraySlice<UInt8>, in list: inout MP4TagList) {
        if version >= Self.vendorsAreOfQuickTime, !isQuickTime { return }
        list.set("vendor_id", Self.fourCharacters(code))
    }

    /// The name of the compressor in a video entry; `nil` if it is in doubt.
    private var encoderName: String? {
        let field = track.entry.body[34..<66]
        let name = field.dropFirst().prefix(min(31, Int(field[34])))
        let text = MP4Tags.text(name)
        // libavformat decodes letters of Mac OS, and takes this format for another one.
        guard name.allSatisfy({ $0 < 0x80 }), !text.hasPrefix("Planar Y'CbCr 8-bit 4:2:0") else {
            return nil
        }
        return text
    }

    /// Four characters as FFmpeg prints them: unusual ones as numbers.
    private static func fourCharacters(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.map { byte in
            byte.isAlphanumeric || [0x2E, 0x20, 0x2D, 0x5F].contains(byte)
                ? String(UnicodeScalar(byte)) : "[\(byte)]"
        }.joined()
    }

    // MARK: Video

    private func completeVideo(_ stream: inout StreamDescription) -> Bool {
        guard let size = stream.size, max(size.width, size.height) <= 16_384,
            let boxes = track.entry.videoBoxes
        else { return false }
        let header: [UInt8]
        switch stream.codec.rawValue {
        case "h264":
            guard let found = Self.header("avcC", in: boxes, besides: Self.videoBoxes),
                H264Configuration(found) != nil
            else { return false }
            header = found
        case "hevc":
            guard let found = Self.header("hvcC", in: boxes, besides: Self.videoBoxes),
                HEVCConfiguration(found) != nil
            else { return false }
            header = found
        case "av1":
            guard let found = Self.header("av1C", in: boxes, besides: Self.videoBoxes),
                found.count >= 4, found[0] == 0x81
            else { return false }
            header = found
        case "mpeg2video":
            guard let found = Self.header("esds", in: boxes, besides: Self.videoBoxes),
                let elementary = MP4ElementaryStream(found[...]), !elementary.header.isEmpty
            else { return false }
            header = elementary.header
        // Of VP9, versions of libavformat differ in the header.
        default: return false
        }
        // A later version than ours wraps another box in the header.
        guard header.count < 10 || !header[4..<8].elementsEqual("fiel".utf8) else { return false }
        stream.codecPrivate = header
        stream.details?.extradataSize = header.count
        return setPixelAspect(of: &stream, boxes, size)
    }

    /// The content of the header of a codec, if it is there once among boxes that are known, none of them twice.
    private static func header(
        _ type: String, in boxes: [(type: String, content: ArraySlice<UInt8>)],
        besides known: [String: Int]
    ) -> [UInt8]? {
        var seen: Set<String> = []
        var found: [UInt8]?
        for box in boxes {
            if box.type == "\0\0\0\0" { continue }
            if box.type == "uuid", box.content.starts(with: iPod) { continue }
            guard seen.insert(box.type).inserted else { return nil }
            if box.type == type {
                found = Array(box.content)
            } else {
                guard let least = known[box.type], box.content.count >= least else { return nil }
            }
        }
        return found
    }

    /// Sets the aspect of pixels; `false` if libavformat computes it from the size of the track.
    private func setPixelAspect(
        of stream: inout StreamDescription,
        _ boxes: [(type: String, content: ArraySlice<UInt8>)], _ size: PixelSize
    ) -> Bool {
        guard track.matrix?.keepsLengths == true else { return false }
        guard let box = boxes.first(where: { $0.type == "pasp" }) else {
            return track.size == nil || track.size == size
        }
        var reader = ByteReader(box.content)
        guard let width = reader.uint32(), let height = reader.uint32(),
            (1...32_767).contains(width),
            (1...32_767).contains(height)
        else { return false }
        if width != height { stream.pixelAspect = Double(width) / Double(height) }
        return true
    }

    // MARK: Audio

    private func completeAudio(_ stream: inout StreamDescription) -> Bool {
        guard let entry = MP4SoundEntry(track.entry, entryVersion: track.entryVersion),
            let size = survey.first?.size, size > 0, !first.isEmpty, !isJoined || isPCM(stream),
            let (found, header) = audio(stream.codec.rawValue, entry, size)
        else { return false }
        stream.sampleRate = found.sampleRate
        stream.channels = found.channels
        stream.bitRate = found.bitRate ?? stream.bitRate
        stream.codecPrivate = header
        stream.details?.extradataSize = header.count
        stream.details?.channelLayout = found.layout
        return true
    }

    /// `true` if libavformat makes packets of many samples, whose sizes it does not add up.
    private var isJoined: Bool { track.durations.count == 1 && track.durations[0].ticks == 1 }

    private func isPCM(_ stream: StreamDescription) -> Bool {
        stream.codec.rawValue.hasPrefix("pcm_")
    }

    /// The properties by the header of the codec or the first frame, and the header as libavformat passes it on.
    private func audio(
        _ codec: String, _ entry: MP4SoundEntry, _ size: Int
    ) -> (AudioProperties, header: [UInt8])? {
        func box(_ type: String) -> [UInt8]? {
            let known = Self.soundBoxes.merging(["chan": 12]) { $1 }
            return Self.header(type, in: entry.boxes, besides: known)
        }
        switch codec {
        case "aac":
            guard let stream = box("esds").flatMap({ MP4ElementaryStream($0[...]) }),
                let found = AudioSpecificConfig(stream.header)?.properties(firstFrame: first)
            else { return nil }
            return (found, stream.header)
        case "ac3":
            // Frames of one bit rate may differ by two bytes.
            guard let info = box("dac3"), info.count >= 3,
                survey.sizes.upperBound - survey.sizes.lowerBound <= 2
            else { return nil }
            return AC3Header.properties(first, size: size).map { ($0, []) }
        case "eac3":
            guard let info = box("dec3"), info.count >= 5 else { return nil }
            return AC3Header.enhancedProperties(first, size: size).map { ($0, []) }
        case "opus":
            guard let header = box("dOps").flatMap(Self.opusHead) else { return nil }
            return XiphHeaders.opus(header).map { ($0, header) }
        case "flac":
            guard let blocks = box("dfLa"), blocks.count >= 42, blocks[0] == 0,
                blocks[4] & 0x7F == 0, blocks[5..<8].elementsEqual([0, 0, 34])
            else { return nil }
            let header = blocks[8..<42]
            return XiphHeaders.flac(streamInfo: header).map { ($0, Array(header)) }
        case "alac":
            guard let atom = box("alac"), atom.count == 28 else { return nil }
            return alac(atom)
        default:
            guard
                let pcm = MP4PCM(track.entry.format, track.entry, entryVersion: track.entryVersion)
            else { return nil }
            return self.pcm(pcm, entry).map { ($0, []) }
        }
    }

    /// The header of Opus by the box (Encapsulation of Opus in ISO BMFF, section 4.3.2), which has the same fields in the
    /// order of bytes of a network.
    private static func opusHead(_ box: [UInt8]) -> [UInt8]? {
        guard box.count >= 11, box[0] == 0 else { return nil }
        var header = Array("OpusHead".utf8) + [1] + box.dropFirst()
        for field in [10..<12, 12..<16, 16..<18] { header[field].reverse() }
        return header
    }

    /// ALAC, whose header (ALACSpecificConfig) states the layout for one and two channels; libavformat passes on the whole box.
    private func alac(_ content: [UInt8]) -> (AudioProperties, header: [UInt8])? {
        var reader = ByteReader(content)
        guard reader.skip(4 + 4 + 1), let bits = reader.uint8(), [16, 24].contains(bits),
            reader.skip(3), let channels = reader.uint8(), (1...2).contains(channels),
            reader.skip(10), let rate = reader.uint32().flatMap({ Int32(exactly: $0) }), rate > 0
        else { return nil }
        let properties = AudioProperties(
            sampleRate: Int(rate), channels: Int(channels),
            layout: channels == 1 ? "mono" : "stereo")
        return (properties, [0, 0, 0, 36] + Array("alac".utf8) + content)
    }

    /// Uncompressed sound in tables with an entry for each sample.
    private func pcm(_ pcm: MP4PCM, _ entry: MP4SoundEntry) -> AudioProperties? {
        guard isJoined, (1...16).contains(entry.channels), entry.sampleRate > 0,
            survey.commonSize == UInt32(entry.channels * pcm.bits / 8)
        else { return nil }
        let known = Self.soundBoxes.merging(["chan": 12, "enda": 2]) { $1 }
        guard Set(entry.boxes.map(\.type)).isSubset(of: known.keys) else { return nil }
        var layout: String?
        if let box = entry.content("chan") {
            var reader = ByteReader(box)
            // A tag of Core Audio, no bitmap, and no descriptions of channels.
            guard reader.skip(4), let tag = reader.uint32(), reader.uint64() == 0, reader.isAtEnd
            else { return nil }
            switch (tag, entry.channels) {
            case (100 << 16 | 1, 1): layout = "mono"
            case (101 << 16 | 2, 2): layout = "stereo"
            default: return nil
            }
        }
        return AudioProperties(
            sampleRate: entry.sampleRate, channels: entry.channels, layout: layout,
            bitRate: Int64(entry.sampleRate * entry.channels * pcm.bits))
    }
}
