internal import MediaCore

/// A part of a text stream that is fetched by itself: a segment, or the whole file.
struct TextPiece: Sendable {
    /// Where its times come from.
    enum Placement: Hashable, Sendable {
        /// By the clock of the media, which has so many breaks before it.
        case clock(stretch: Int64)
        /// So much is added to times within it.
        case offset(Duration)
    }

    /// The index of the stream in the presentation.
    var stream: Int
    /// A reference as a playlist has it.
    struct Reference: Hashable, Sendable {
        var uri: String
        var range: ByteRange?
    }

    /// The address of the playlist that names it.
    var parent: String
    /// Where it is, as the playlist says; `nil` for a gap that it tells of.
    var reference: Reference?
    /// What must stand before it, as the playlist says.
    var initializationReference: Reference?
    /// Other places where the same is.
    var others: [Reference] = []
    /// Why it cannot be fetched.
    var refusal: MediaError?
    /// Where it is; set by ``locate(by:)``.
    private(set) var resource: StreamResource?
    /// What must stand before it; set by ``locate(by:)``.
    private(set) var initialization: StreamResource?
    /// When it begins by its playlist.
    var start: Timestamp
    /// When it ends by its playlist; `nil` if that is not known.
    var end: Timestamp?
    /// Its number in the presentation.
    var number: Int64
    var placement: Placement
    /// What is shown of it at all: the period that it is part of.
    var bounds = TimeWindow.all
    /// Whether it is all of the stream, or of a period.
    var isWhole = false

    /// Finds out where it is, or why it must not be opened.
    mutating func locate(by fetcher: StreamFetcher) {
        guard resource == nil, refusal == nil, let reference else { return }
        do throws(MediaError) {
            if let place = initializationReference {
                initialization = try fetcher.resource(place.uri, in: parent, range: place.range)
            }
            resource = try fetcher.resource(reference.uri, in: parent, range: reference.range)
        } catch {
            refusal = error
        }
    }

    /// Whether something of it may be shown in `window`, which began to be shown up to `reach` earlier.
    func mayShow(in window: TimeWindow, reach: Duration) -> Bool {
        if window.isAll { return true }
        if let last = window.end, start >= last { return false }
        guard let first = window.start, let end else { return true }
        return end.advanced(by: reach) > first
    }
}

/// The pieces of a stream that are not fetched yet.
struct PieceList {
    private var pieces: ArraySlice<TextPiece>

    init(_ pieces: [TextPiece]) { self.pieces = pieces[...] }

    /// The next one.
    var first: TextPiece? { pieces.first }

    mutating func popFirst() -> TextPiece? { pieces.popFirst() }

    /// How many there are.
    var count: Int { pieces.count }

    /// Adds what came since.
    mutating func append(_ more: [TextPiece]) { pieces = ArraySlice(Array(pieces) + more) }
}
