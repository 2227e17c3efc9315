internal import UndertextCore

/// A part of a text stream that is fetched by itself: a segment, or the whole file.
struct TextPiece: Sendable {
    /// The maximum number of pieces to examine for a stream's format.
    static let lookedAt = 3

    /// The origin of its times.
    enum Placement: Hashable, Sendable {
        /// The clock of the media after `stretch` discontinuities.
        case clock(stretch: Int64)
        /// This duration is added to its times.
        case offset(Duration)
    }

    /// A reference as a playlist has it.
    struct Reference: Hashable, Sendable {
        var uri: String
        /// Alternative addresses of the same piece.
        var others: [String] = []
        var range: ByteRange?

        /// The permitted resources, starting with the location `first`.
        ///
        /// - Throws: the reason for the refusal, if all locations are refused.
        func resources(
            in parent: String, by fetcher: StreamFetcher, from first: Int
        ) throws(UndertextError) -> [Place] {
            var refusal: UndertextError?
            var found: [Place] = []
            let uris = [uri] + others
            for index in uris.indices.map({ ($0 + first) % uris.count }) {
                do throws(UndertextError) {
                    let resource = try fetcher.resource(uris[index], in: parent, range: range)
                    found.append(Place(index: index, resource: resource))
                } catch {
                    refusal = refusal ?? error
                }
            }
            if found.isEmpty, let refusal { throw refusal }
            return found
        }
    }

    /// One of the places where the same is.
    struct Place: Hashable, Sendable {
        var index: Int
        var resource: StreamResource
    }

    /// The index of the stream in the presentation.
    var stream: Int
    /// The address of the playlist that names it.
    var parent: String
    /// The reference in the playlist; `nil` for a declared gap.
    var reference: Reference?
    /// The reference to the initialization section in the playlist.
    var initializationReference: Reference?
    /// The reason why it cannot be fetched.
    var refusal: UndertextError?
    /// Its locations, the preferred one first; set by ``locate(by:from:)``.
    private(set) var resources: [Place] = []
    /// The locations of the initialization section, in order of preference; set by ``locate(by:from:)``.
    private(set) var initializations: [Place] = []
    /// The start in its playlist.
    var start: Timestamp
    /// The end in its playlist; `nil` if unknown.
    var end: Timestamp?
    /// Its number in the presentation.
    var number: Int64
    var placement: Placement
    /// The period that contains the piece; cues outside it are not shown.
    var bounds = TimeWindow.all
    /// A Boolean value that indicates whether the piece is a whole stream or a whole period.
    var isWhole = false
    /// The URL that packets name as their segment; `nil` for none.
    var segment: String?

    /// The resources that determine the format: the initialization section, or otherwise the piece itself.
    var identifyingPlaces: [Place] { initializations.isEmpty ? resources : initializations }

    /// Finds out where it is, or why it must not be opened.
    ///
    /// - Parameters:
    ///   - fetcher: The fetcher with the address rule.
    ///   - place: The index of the location that is tried first.
    mutating func locate(by fetcher: StreamFetcher, from place: Int = 0) {
        guard resources.isEmpty, refusal == nil, let reference else { return }
        do throws(UndertextError) {
            initializations =
                try initializationReference?.resources(in: parent, by: fetcher, from: place) ?? []
            resources = try reference.resources(in: parent, by: fetcher, from: place)
        } catch {
            refusal = error
        }
    }

    /// The piece on a timeline whose zero is `zero` on the one that it is on.
    func counted(from zero: Timestamp) -> TextPiece {
        let shift = zero.duration(to: .zero)
        var piece = self
        piece.start = start.advanced(by: shift)
        piece.end = end?.advanced(by: shift)
        piece.bounds = TimeWindow(
            from: bounds.start?.advanced(by: shift), until: bounds.end?.advanced(by: shift))
        if case .offset(let offset) = placement { piece.placement = .offset(offset + shift) }
        return piece
    }

    /// `true` if something of it may be shown in `window`, which began to be shown up to `reach` earlier.
    func mayShow(in window: TimeWindow, reach: Duration) -> Bool {
        if window.isAll { return true }
        if let last = window.end, start >= last { return false }
        guard let first = window.start, let end else { return true }
        return end.advanced(by: reach) > first
    }
}
