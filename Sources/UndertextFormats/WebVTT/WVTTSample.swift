internal import UndertextCore

/// A sample of a WebVTT track in MP4: the cues that are on screen while it lasts.
///
/// ISO/IEC 14496-30, section 7.4.
struct WVTTSample {
    /// A piece of a cue, `vttc`.
    struct Piece: Hashable {
        /// The source identifier that the pieces of one cue share, `vsid`.
        var source: UInt32?
        /// The cue's identifier, `iden`.
        var identifier: [UInt8] = []
        /// Its settings, `sttg`.
        var settings: [UInt8] = []
        /// Its text, `payl`.
        var text: [UInt8] = []
        /// The origin of times within the text: the file's time at the beginning of the sample, `ctim`.
        var time: Timestamp?

        /// `true` if `other` is a piece of the same cue.
        ///
        /// Some programs give no numbers, and some the same number to all cues.
        func continues(_ other: Piece) -> Bool {
            source == other.source && identifier == other.identifier
                && settings == other.settings && text == other.text
        }
    }

    /// The cues, in order.
    private(set) var pieces: [Piece] = []
    /// The text between cues, `vtta`, in order.
    private(set) var comments: [[UInt8]] = []
    /// `true` if there is something that is no box.
    private(set) var isDamaged = false
    /// `true` if there are more cues than allowed.
    private(set) var isCut = false

    /// Cues of one sample at most, all of which are on screen together.
    private static let piecesAtMost = 256

    /// Parses a sample.
    init(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        while let (type, content) = Self.box(&reader) {
            switch type {
            case Self.cue:
                guard pieces.count < Self.piecesAtMost else {
                    isCut = true
                    continue
                }
                pieces.append(piece(content))
            case Self.comment:
                let text = Self.text(content)
                if !text[...].trimmed.isEmpty, comments.count < Self.piecesAtMost {
                    comments.append(text)
                }
            default: break
            }
        }
        if !reader.isAtEnd { isDamaged = true }
    }

    /// The configuration of a sample entry; empty if it has none.
    static func header(in entry: [UInt8]) -> [UInt8] {
        var reader = ByteReader(entry)
        while let (type, content) = box(&reader) {
            if type == configuration { return Array(content.prefix { $0 != 0 }) }
        }
        return []
    }

    private mutating func piece(_ content: ArraySlice<UInt8>) -> Piece {
        var piece = Piece()
        var reader = ByteReader(content)
        while let (type, content) = Self.box(&reader) {
            switch type {
            case Self.source:
                var number = ByteReader(content)
                piece.source = number.uint32()
            case Self.identifier: piece.identifier = Self.text(content)
            case Self.settings: piece.settings = Self.text(content)
            case Self.payload: piece.text = Self.text(content)
            case Self.time: piece.time = WebVTTTimestamp.parse(Self.text(content)[...].trimmed)
            default: break
            }
        }
        if !reader.isAtEnd { isDamaged = true }
        return piece
    }

    /// A string up to a NUL, without empty lines at its ends.
    private static func text(_ content: ArraySlice<UInt8>) -> [UInt8] {
        var text = content.prefix { $0 != 0 }
        while let last = text.last, last == 0x0A || last == 0x0D { text.removeLast() }
        while let first = text.first, first == 0x0A || first == 0x0D { text.removeFirst() }
        return Array(text)
    }

    /// The next box: its type and content; `nil` at the end, or where the box does not fit.
    private static func box(_ reader: inout ByteReader) -> (UInt32, ArraySlice<UInt8>)? {
        var ahead = reader
        guard let size = ahead.uint32(), let type = ahead.uint32(), size >= 8,
            let content = ahead.slice(Int(size) - 8)
        else { return nil }
        reader = ahead
        return (type, content)
    }

    // The types as numbers: vttC, vttc, vtta; vsid, iden, sttg, payl, ctim.
    private static let configuration: UInt32 = 0x7674_7443
    private static let cue: UInt32 = 0x7674_7463
    private static let comment: UInt32 = 0x7674_7461
    private static let source: UInt32 = 0x7673_6964
    private static let identifier: UInt32 = 0x6964_656E
    private static let settings: UInt32 = 0x7374_7467
    private static let payload: UInt32 = 0x7061_796C
    private static let time: UInt32 = 0x6374_696D
}
