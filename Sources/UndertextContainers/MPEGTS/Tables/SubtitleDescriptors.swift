package import UndertextCore

/// A page of DVB subtitles (EN 300 468, section 6.2.41; EN 300 743).
package struct DVBSubtitlePage: Hashable, Sendable {
    /// ISO 639-2 code as stored.
    package var language: String
    /// subtitling_type: component_type of EN 300 468, table 26.
    package var type: UInt8
    /// composition_page_id.
    package var compositionPage: Int
    /// ancillary_page_id.
    package var ancillaryPage: Int
    /// `true` if the page is for the hard of hearing.
    package var isHearingImpaired: Bool { (0x20...0x25).contains(type) }
}

/// A page of teletext (EN 300 468, section 6.2.43; ETSI EN 300 472).
package struct TeletextPage: Hashable, Sendable {
    /// ISO 639-2 code as stored.
    package var language: String
    /// teletext_type: 2 subtitles, 5 subtitles for the hard of hearing.
    package var type: UInt8
    /// The page as viewers enter it, 100 to 899; digits beyond 9 are kept as they come out.
    package var number: Int
    /// `true` if the page holds subtitles.
    package var isSubtitle: Bool { type == 2 || type == 5 }
    /// `true` if the page is for the hard of hearing.
    package var isHearingImpaired: Bool { type == 5 }
}

/// A service of closed captions (ATSC A/65, section 6.9.2, caption_service_descriptor).
package struct TransportCaptionService: Hashable, Sendable {
    /// ISO 639-2 code as stored.
    package var language: String
    /// caption_service_number of CEA-708, 1 to 63; `nil` for captions of line 21.
    package var number: Int?
    /// The field of captions of line 21: 0 or 1.
    package var field: Int
    /// `true` if the words suit beginning readers.
    package var isEasyToRead: Bool
    /// `true` if the captions are formatted for a wide screen.
    package var isWide: Bool
}

extension StreamDescriptor {
    /// The services of a caption_service_descriptor (tag 0x86); those of other descriptors are none.
    package var captionServices: [TransportCaptionService] {
        guard tag == 0x86, let count = bytes.first else { return [] }
        return (0..<Int(count & 0x1F)).compactMap { index in
            let start = 1 + index * 6
            guard start + 6 <= bytes.count else { return nil }
            let (kind, flags) = (bytes[start + 3], bytes[start + 4])
            let isDigital = kind & 0x80 != 0
            guard !isDigital || kind & 0x3F != 0 else { return nil }
            return TransportCaptionService(
                language: String(decoding: bytes[start..<start + 3], as: UTF8.self),
                number: isDigital ? Int(kind & 0x3F) : nil, field: Int(kind & 1),
                isEasyToRead: flags & 0x80 != 0, isWide: flags & 0x40 != 0)
        }
    }
}

extension TransportStream {
    /// The video codecs with captions that stream_type and registration may mean, by FFmpeg's names; empty for others.
    package var videoCodecs: Set<CodecID> {
        let names: [String] =
            switch streamType {
            case 0x01, 0x02: ["mpeg1video", "mpeg2video"]
            case 0x1B: ["h264"]
            case 0x24: ["hevc"]
            // Carriage of AV1 in MPEG-2 TS (AOM), section 2.1.
            case 0x06 where registration == Array("AV01".utf8): ["av1"]
            default: []
            }
        return Set(names.map(CodecID.init(rawValue:)))
    }

    /// ISO 639-2 codes: those of the subtitle descriptors, otherwise of the language descriptor.
    package var languages: [String] {
        let pages = dvbSubtitlePages.map(\.language) + teletextPages.map(\.language)
        return pages.isEmpty ? entries(0x0A, length: 4).map { language($0) } : pages
    }

    /// The first language, normalized; `nil` if undetermined.
    package var language: LanguageTag? { languages.first.flatMap(LanguageTag.init) }

    /// The pages of a subtitling descriptor (tag 0x59).
    package var dvbSubtitlePages: [DVBSubtitlePage] {
        entries(0x59, length: 8).map { entry in
            DVBSubtitlePage(
                language: language(entry), type: entry[3],
                compositionPage: Int(entry[4]) << 8 | Int(entry[5]),
                ancillaryPage: Int(entry[6]) << 8 | Int(entry[7]))
        }
    }

    /// The pages of teletext descriptors (tags 0x56 and, in the vertical blanking, 0x46).
    package var teletextPages: [TeletextPage] {
        (entries(0x56, length: 5) + entries(0x46, length: 5)).map { entry in
            let magazine = Int(entry[3] & 0x07)
            return TeletextPage(
                language: language(entry), type: entry[3] >> 3,
                number: (magazine == 0 ? 8 : magazine) * 100 + Int(entry[4] >> 4) * 10
                    + Int(entry[4] & 0x0F))
        }
    }

    /// `true` if a descriptor declares the stream as hearing impaired.
    package var isHearingImpaired: Bool {
        dvbSubtitlePages.contains(where: \.isHearingImpaired)
            || teletextPages.contains(where: \.isHearingImpaired)
            || entries(0x0A, length: 4).contains { $0[3] == 2 }
    }

    /// The format_identifier of the registration descriptor (tag 0x05), four characters.
    package var registration: [UInt8]? {
        descriptors.first { $0.tag == 0x05 && $0.bytes.count >= 4 }.map {
            Array($0.bytes.prefix(4))
        }
    }

    /// The subtitle codec of type and descriptors; `nil` if there is none.
    ///
    /// Blu-ray's types are used only in a program registered as `HDMV` or `HDPR`.
    package func subtitleCodec(in program: TransportProgram) -> CodecID? {
        let isBluRay =
            program.registration.map { $0 == Array("HDMV".utf8) || $0 == Array("HDPR".utf8) }
            ?? false
        switch streamType {
        case 0x90 where isBluRay: return .pgs
        case 0x92 where isBluRay: return .hdmvText
        case 0x06:
            // The first descriptor that names a codec decides: 0x6A, 0x7A and 0x7B are sound.
            let first = descriptors.first { [0x56, 0x59, 0x6A, 0x7A, 0x7B].contains($0.tag) }
            return first?.tag == 0x56 ? .teletext : first?.tag == 0x59 ? .dvb : nil
        default: return nil
        }
    }

    /// The records of all descriptors of a tag; what is left after the last whole one is ignored.
    private func entries(_ tag: UInt8, length: Int) -> [[UInt8]] {
        descriptors.filter { $0.tag == tag }.flatMap { descriptor in
            stride(from: 0, through: descriptor.bytes.count - length, by: length).map {
                Array(descriptor.bytes[$0..<$0 + length])
            }
        }
    }

    private func language(_ entry: [UInt8]) -> String {
        String(decoding: entry.prefix(3), as: UTF8.self)
    }
}
