package import UndertextCore

/// The parts of a WebVTT cue that Matroska stores beside its text.
///
/// Matroska codec specification, `S_TEXT/WEBVTT`: the BlockAdditional holds the settings, the
/// identifier and the comment blocks before the cue, each ended by a line feed.
package struct WebVTTBlockAddition: Hashable, Sendable {
    /// The cue's settings.
    package var settings: [UInt8]
    /// The cue's identifier.
    package var identifier: [UInt8]
    /// The comment blocks before the cue, as in the file.
    package var comment: [UInt8]

    /// Parses the data of an addition, without its BlockAddID.
    package init(_ data: ArraySlice<UInt8>) {
        let text = PacketText(data).bytes
        let parts = text.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
        settings = parts.isEmpty ? [] : Array(parts[0])
        identifier = parts.count > 1 ? Array(parts[1]) : []
        comment = parts.count > 2 ? Array(parts[2]) : []
    }

    /// The addition of `packet`; `nil` if there is none.
    package init?(packet: Packet) {
        guard let bytes = packet.sideData(.blockAdditional), bytes.count >= 8 else { return nil }
        self.init(bytes[8...])
    }
}

/// Timestamps within cue text that count from the start of the block they are stored in.
///
/// Matroska stores them so, and an editor that shifts blocks need not touch the text. A file
/// needs them on the timeline of its cues.
package enum WebVTTInlineTimestamps {
    /// The origin of the inline timestamps of a stream.
    ///
    /// Unless the reader states it, a stream with the header of a file is Matroska's
    /// `S_TEXT/WEBVTT`, the only mapping into a container that stores one.
    package static func origin(stated: InlineTimeOrigin?, header: [UInt8]) -> InlineTimeOrigin {
        stated ?? (WebVTTFileHeader.hasSignature(header) ? .packet : .timeline)
    }

    /// The text with its inline timestamps moved by `start`.
    ///
    /// Relative times may be negative; results before zero become zero.
    package static func absolute(_ text: [UInt8], from start: Timestamp) -> [UInt8] {
        moved(text) { start.advanced(by: Timestamp.zero.duration(to: $0)) }
    }

    /// The text with each inline timestamp put where `move` says; one before zero becomes zero.
    package static func moved(
        _ text: [UInt8], by move: (Timestamp) -> Timestamp
    ) -> [UInt8] {
        var output: [UInt8] = []
        var copied = 0
        var position = 0
        while let open = text[position...].firstIndex(of: 0x3C) {
            position = open + 1
            let isNegative = position < text.count && text[position] == 0x2D
            if isNegative { position += 1 }
            guard position < text.count, text[position].isDigit else { continue }
            var end = position
            guard let time = WebVTTTimestamp.collect(text[...], &end), end < text.count,
                text[end] == 0x3E
            else { continue }
            output += text[copied...open]
            let stored = Timestamp(nanoseconds: isNegative ? -time.nanoseconds : time.nanoseconds)
            WebVTTTimestamp.append(move(stored), to: &output)
            copied = end
            position = end
        }
        guard copied > 0 else { return text }
        return output + text[copied...]
    }
}

/// The rule of timestamps within cue text, which are on the timeline or count from the start of their block.
struct WebVTTInlineTimes: InlineTimeRule {
    func change(
        of stream: StreamDescription, by change: TimeChange
    ) -> ((Packet) -> Packet)? {
        guard !change.isIdentity else { return nil }
        var map = change.map
        let origin = WebVTTInlineTimestamps.origin(
            stated: stream.inlineTimeOrigin, header: stream.codecPrivate)
        if origin == .packet {
            // They go along with the packet; only stretching changes them.
            guard change.retiming.isStretching else { return nil }
            let stretching = Retiming(speed: change.retiming.speed)
            map = { stretching.applied(to: $0) }
        }
        return { packet in
            var moved = packet
            moved.data = WebVTTInlineTimestamps.moved(packet.data, by: map)
            return moved
        }
    }

    /// Cue text with its timestamps moved, or `nil` if they stay.
    static func moved(_ text: String, by change: TimeChange) -> String? {
        guard !change.isIdentity else { return nil }
        let moved = WebVTTInlineTimestamps.moved(Array(text.utf8), by: change.map)
        return String(decoding: moved, as: UTF8.self)
    }
}
