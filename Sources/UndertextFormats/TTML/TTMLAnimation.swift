/// The steps of an `animate` element, each like a `set`: TTML2, section 13.1.1.
///
/// Cues have no continuous transitions. Each value applies from halfway before its key time to halfway after
/// it.
struct TTMLAnimation {
    /// `true` if each value holds until the next one: `calcMode`.
    var isDiscrete = false
    /// `true` if something of it cannot be shown but for steps.
    var isExact: Bool { isDiscrete && !isCut }

    private var keyTimes: [Double] = []
    private var tracks: [[TTMLStyleProperty]] = []
    private var isCut = false

    /// More values than any real animation has.
    private static let valuesAtMost = 256

    /// Reads the values of a style property.
    mutating func read(_ namespace: TTMLNamespace, _ name: Substring, _ list: String) {
        let parts = list.utf8.split(
            separator: 0x3B, maxSplits: Self.valuesAtMost, omittingEmptySubsequences: true)
        if parts.count > Self.valuesAtMost { isCut = true }
        var settings: [TTMLStyleProperty] = []
        for part in parts.prefix(Self.valuesAtMost) {
            switch TTMLStyleProperty.reading(namespace, name, String(decoding: part, as: UTF8.self))
            {
            case .setting(let setting): settings.append(setting)
            case .unused, .invalid: isCut = true
            case nil: break
            }
        }
        if !settings.isEmpty { tracks.append(settings) }
    }

    /// Reads `keyTimes`: the positions in the duration, from 0 to 1, at which each value is reached.
    mutating func readKeyTimes(_ list: String) {
        let bytes = Array(list.utf8)
        keyTimes = bytes.split(separator: 0x3B, maxSplits: Self.valuesAtMost).compactMap {
            $0.trimmed.leadingNumber
        }
        let isRising = zip(keyTimes, keyTimes.dropFirst()).allSatisfy { $0 <= $1 }
        if !isRising || keyTimes.first != 0 || keyTimes.last ?? 2 > 1 { keyTimes = [] }
    }

    /// Reads `repeatCount`; the animation is played once regardless.
    mutating func readRepeat(_ count: String) { if count != "1" { isCut = true } }

    /// The steps; empty if the duration is unknown.
    ///
    /// `whole` has the times of the element.
    func steps(of whole: TTMLElement) -> [TTMLElement] {
        let begin = whole.begin ?? 0
        let lengths = [whole.duration, whole.end.map { $0 - begin }].compactMap { $0 }
        guard !whole.neverBegins, let length = lengths.min(), length > 0 else { return [] }
        func time(_ part: Double) -> TTMLTime {
            begin.later(by: min(TTMLTime(Double(length) * min(max(part, 0), 1)), length))
        }
        return tracks.flatMap { settings in
            let borders = borders(of: settings.count)
            return settings.enumerated().map { index, setting in
                let step = TTMLElement(.set)
                let start = time(borders[index])
                step.begin = start
                step.duration = max(0, time(borders[index + 1]) - start)
                step.style.set(setting)
                return step
            }
        }
    }

    /// Returns the time at which each of a number of values begins, and the end.
    private func borders(of count: Int) -> [Double] {
        guard count > 1 else { return [0, 1] }
        let parts = isDiscrete ? count : count - 1
        let keys =
            keyTimes.count == count ? keyTimes : (0..<count).map { Double($0) / Double(parts) }
        if isDiscrete { return keys + [1] }
        return [0] + zip(keys, keys.dropFirst()).map { ($0 + $1) / 2 } + [1]
    }
}
