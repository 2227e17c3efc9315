internal import UndertextCore

/// The headers of Opus, Vorbis and FLAC, which say all about the audio.
enum XiphHeaders {
    /// The properties by an identification header of Opus (RFC 7845, section 5.1).
    static func opus(_ header: [UInt8]) -> AudioProperties? {
        var reader = ByteReader(header)
        guard reader.slice(8)?.elementsEqual("OpusHead".utf8) == true, reader.uint8() == 1,
            let channels = reader.uint8().map(Int.init), reader.skip(8),
            let family = reader.uint8(),
            family == 0 && channels <= 2 || family == 1,
            let layout = standardLayout(channels: channels),
            family == 0 || reader.remaining >= 2 + channels
        else { return nil }
        return AudioProperties(sampleRate: 48_000, channels: channels, layout: layout)
    }

    /// The properties by the three headers of Vorbis as Matroska stores them (Vorbis I, section 4.2.2).
    static func vorbis(_ header: [UInt8]) -> AudioProperties? {
        var reader = ByteReader(header)
        guard reader.uint8() == 2, reader.uint8() == 30 else { return nil }
        // The length of the second header; the third takes the rest.
        while true {
            guard let part = reader.uint8() else { return nil }
            if part < 255 { break }
        }
        guard reader.slice(7)?.elementsEqual([1] + Array("vorbis".utf8)) == true,
            reader.uint32() == 0, let channels = reader.uint8().map(Int.init),
            let rate = reader.uint32LittleEndian(), (1...192_000).contains(rate),
            let layout = standardLayout(channels: channels)
        else { return nil }
        return AudioProperties(sampleRate: Int(rate), channels: channels, layout: layout)
    }

    /// The properties by the metadata blocks of FLAC (RFC 9639, section 8).
    ///
    /// A comment may state another channel layout.
    static func flac(_ header: [UInt8]) -> AudioProperties? {
        var reader = ByteReader(header)
        guard reader.slice(4)?.elementsEqual("fLaC".utf8) == true, let first = reader.uint8(),
            first & 0x7F == 0, reader.uint24() == 34, let information = reader.slice(34),
            var found = flac(streamInfo: information)
        else { return nil }
        var isLast = first & 0x80 != 0
        while !isLast, !reader.isAtEnd {
            guard let kind = reader.uint8(), let length = reader.uint24(),
                let block = reader.slice(Int(length))
            else { return nil }
            isLast = kind & 0x80 != 0
            guard kind & 0x7F == 4 else { continue }
            guard let mask = channelMask(inComments: block) else { continue }
            guard let layout = masks[mask.lowercased()], found.channels == 6 else { return nil }
            found.layout = layout
        }
        return reader.isAtEnd ? found : nil
    }

    private static let masks = ["0x3f": "5.1", "0x003f": "5.1", "0x60f": "5.1(side)"]

    /// The value of the comment that states which speakers the channels are for.
    private static func channelMask(inComments block: ArraySlice<UInt8>) -> String? {
        var reader = ByteReader(block)
        guard let vendor = reader.uint32LittleEndian(), reader.skip(Int(vendor)),
            let count = reader.uint32LittleEndian()
        else { return nil }
        let name = "WAVEFORMATEXTENSIBLE_CHANNEL_MASK="
        for _ in 0..<count {
            guard let length = reader.uint32LittleEndian(),
                let comment = reader.slice(Int(length))
            else { return nil }
            let text = String(decoding: comment.prefix(64), as: UTF8.self)
            if text.uppercased().hasPrefix(name) { return String(text.dropFirst(name.count)) }
        }
        return nil
    }

    /// The properties by STREAMINFO.
    static func flac(streamInfo: ArraySlice<UInt8>) -> AudioProperties? {
        var bits = BitCursor(streamInfo.dropFirst(10))
        guard let rate = bits.next(20), rate > 0, let channels = bits.next(3).map({ Int($0) + 1 })
        else { return nil }
        let names = ["mono", "stereo", "3.0", "quad", "5.0(side)", "5.1(side)", "6.1", "7.1"]
        return AudioProperties(
            sampleRate: Int(rate), channels: channels, layout: names[channels - 1])
    }
}
