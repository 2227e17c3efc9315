package import UndertextCore

/// A change of a track's times, which times within the text of its events follow.
package struct TimeChange {
    /// Maps a stored time to the changed time.
    package let map: (Timestamp) -> Timestamp
    /// The stretching and shifting that is part of it.
    package let retiming: Retiming
    /// `true` if all times stay as they are.
    package let isIdentity: Bool

    /// Describes a change of times.
    package init(
        map: @escaping (Timestamp) -> Timestamp, retiming: Retiming, isIdentity: Bool
    ) {
        self.map = map
        self.retiming = retiming
        self.isIdentity = isIdentity
    }
}

/// The rule of a format by which times within its packets follow the times of the track.
package protocol InlineTimeRule: Sendable {
    /// Returns the change of the packets of a stream, or `nil` if the times within them stay.
    func change(
        of stream: StreamDescription, by change: TimeChange
    ) -> ((Packet) -> Packet)?

    /// Returns `true` if a packet holds times that come late when its beginning is cut off.
    func isLateIfCut(_ packet: Packet) -> Bool

    /// `true` if a copy keeps times within packets where the speed changes.
    var resistsStretching: Bool { get }
}

extension InlineTimeRule {
    /// The default: times within a packet are not cut off.
    package func isLateIfCut(_ packet: Packet) -> Bool { false }

    /// Times within packets change as the rule says.
    package var resistsStretching: Bool { false }
}

extension CueSource {
    /// The stored event with the times within it changed, or `nil` if they stay.
    package func following(_ change: TimeChange) -> CueSource? {
        switch self {
        case .ass(let event): ASSInlineTimes.moved(event, by: change).map(CueSource.ass)
        case .webVTT(let text): WebVTTInlineTimes.moved(text, by: change).map(CueSource.webVTT)
        case .subRip: nil
        }
    }
}
