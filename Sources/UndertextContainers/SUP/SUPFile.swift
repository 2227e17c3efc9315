package import UndertextCore

/// A file of presentation graphics (.sup): segments with the times of their PES packets.
///
/// Each segment follows `PG`, a presentation time and a decoding time of 32 bits on the 90 kHz
/// clock, its type and its size. There is no header and no index. Not `Sendable`: one reader at a
/// time.
package final class SUPFile {
    private let source: any RandomAccessSource
    private let limits: Limits
    private let cancellation: Cancellation?
    private let first: SUPSegmentHeader

    /// Opens a file.
    ///
    /// - Throws: ``UndertextCore/UndertextError`` with code `notMedia` where it does not begin with a segment,
    ///   one with a damaged `PG` only where it leads to the next, or what the source throws.
    package init(
        source: any RandomAccessSource, limits: Limits = Limits(), cancellation: Cancellation? = nil
    ) throws(UndertextError) {
        let head = try source.read(at: 0, count: SUPSegmentHeader.size)
        guard let first = SUPSegmentHeader(head, at: 0), first.isKnown,
            try Self.begins(with: first, source)
        else {
            throw UndertextError(
                .notMedia, "The file does not begin with a segment.", path: source.name)
        }
        self.source = source
        self.limits = limits
        self.cancellation = cancellation
        self.first = first
    }

    /// `true` if the first segment has its magic; otherwise if another segment follows it.
    private static func begins(
        with first: SUPSegmentHeader, _ source: any RandomAccessSource
    ) throws(UndertextError) -> Bool {
        if first.hasMagic { return true }
        let next = try source.read(at: UInt64(first.length), count: SUPSegmentHeader.size)
        return SUPSegmentHeader(next, at: 0).map { $0.hasMagic && $0.isKnown } ?? false
    }

    /// The description that libavformat would give, without properties that require decoding.
    ///
    /// It has no length: the last time in it is that of the last change, not of its end.
    package var description: ContainerDescription {
        let start = Int64(first.presentationTime)
        let stream = StreamDescription(
            index: 0, kind: .bitmap, codec: .pgs, timeBase: .mpeg, startTime: start)
        return ContainerDescription(
            formatName: "sup", startTime: rescale(start, from: .mpeg, to: .microseconds),
            size: source.size, streams: [stream])
    }

    /// A reader of all segments, from the beginning.
    package func packetReader(diagnostics: DiagnosticSink = .init()) -> SUPPacketReader {
        SUPPacketReader(source: source, cancellation: cancellation, diagnostics: diagnostics)
    }
}

/// The header of a segment in a .sup file.
struct SUPSegmentHeader {
    /// `PG`, two times, type and size.
    static let size = 13

    let hasMagic: Bool
    let presentationTime: UInt32
    /// 0 = not stated.
    let decodingTime: UInt32
    let type: UInt8
    let bodySize: Int

    /// Reads a header at `place`; `nil` where the bytes end before it does.
    init?(_ bytes: [UInt8], at place: Int) {
        guard place >= 0, bytes.count - place >= Self.size else { return nil }
        func number(_ offset: Int, _ count: Int) -> UInt32 {
            bytes[place + offset..<place + offset + count].reduce(0) { $0 << 8 | UInt32($1) }
        }
        hasMagic = bytes[place] == 0x50 && bytes[place + 1] == 0x47
        presentationTime = number(2, 4)
        decodingTime = number(6, 4)
        type = bytes[place + 10]
        bodySize = Int(number(11, 2))
    }

    /// `true` if it is one of the five types that a stream consists of.
    var isKnown: Bool { type == 0x80 || (0x14...0x17).contains(type) }

    /// Bytes to the next header.
    var length: Int { Self.size + bodySize }
}
