internal import UndertextCore

/// The state that the commands of a unit have set so far.
struct SubPictureState: Hashable {
    /// `true` if the image is on screen.
    var isShown = false
    /// `true` if a command has taken it away.
    var wasStopped = false
    /// `true` if it is shown even where subtitles are off.
    var isForced = false
    /// The palette index of pixel values 0 to 3.
    var colors: [UInt8] = [0, 1, 2, 3]
    /// The opacity of pixel values 0 to 3, 0 to 15.
    var contrasts: [UInt8] = [0, 15, 15, 15]
    /// The display area.
    var area: PixelRectangle?
    /// `true` if pixels have eight bits (HD DVD).
    var hasByteDepth = false
    /// The offset of the lines 0, 2, 4, ….
    var topField: Int?
    /// The offset of the lines 1, 3, 5, ….
    var bottomField: Int?
    /// Parts of the screen with other colors.
    private(set) var changes: [SubPictureLineChange] = []
    /// The number of columns of ``changes`` in all lines.
    private(set) var changedColumns = 0
    /// The palette indices that ``changes`` make visible, as bits.
    private var changedColors: UInt16 = 0
    /// 256 times Y, Cr, Cb.
    var fullColors: [UInt8]?
    /// 256 transparencies.
    var fullContrasts: [UInt8]?

    /// Carries out a command.
    mutating func apply(_ command: SubPictureCommand) {
        switch command {
        case .start(let isForced): (isShown, self.isForced) = (true, isForced)
        case .stop: (isShown, wasStopped) = (false, true)
        case .colors(let values): colors = values
        case .contrasts(let values): contrasts = values
        case .area(let area, let hasByteDepth):
            (self.area, self.hasByteDepth) = (area, hasByteDepth)
        case .fields(let top, let bottom): (topField, bottomField) = (top, bottom)
        case .changes(let changes): change(changes)
        case .fullColors(let bytes): fullColors = bytes
        case .fullContrasts(let bytes): fullContrasts = bytes
        }
    }

    /// Applies CHG_COLCON.
    ///
    /// Later states share the result, and there may be thousands of them.
    private mutating func change(_ changes: [SubPictureLineChange]) {
        self.changes = changes
        (changedColumns, changedColors) = (0, 0)
        for column in changes.lazy.flatMap(\.columns) {
            changedColumns += 1
            changedColors |= Self.visible(column.colors, column.contrasts)
        }
    }

    /// The palette indices that visible pixels may use, as bits.
    var visibleColors: UInt16 { Self.visible(colors, contrasts) | changedColors }

    private static func visible(_ colors: [UInt8], _ contrasts: [UInt8]) -> UInt16 {
        var bits: UInt16 = 0
        for (color, contrast) in zip(colors, contrasts) where contrast > 0 {
            bits |= 1 << UInt16(color & 15)
        }
        return bits
    }
}

/// The state of a unit from some time on.
struct SubPictureMoment {
    /// Since the unit's own time, in ticks of 90 kHz.
    var ticks: Int64
    var state: SubPictureState

    /// The states of a unit in order, one for each time.
    ///
    /// Delays are relative to the unit's start; one that runs backwards is replaced by the delay of the
    /// previous sequence. A stop that is not later than the start it belongs to is ignored, and `hasBadStop` is
    /// set, because the image would never be seen. A stop at ``SubPictureUnit/unknownDelay`` is ignored, too.
    static func moments(
        of unit: SubPictureUnit
    ) -> (moments: [SubPictureMoment], hasBadStop: Bool) {
        var hasBadStop = false
        var shownSince: Int64 = 0
        var state = SubPictureState()
        var moments: [SubPictureMoment] = []
        // Without a start command, the image is shown from the first sequence on.
        state.isShown = !unit.hasStart
        for sequence in unit.sequences {
            let delay = SubPictureUnit.ticks(ofDelay: sequence.delay)
            let ticks = max(delay, moments.last?.ticks ?? 0)
            for command in sequence.commands {
                let wasShown = state.isShown
                if command == .stop, sequence.delay == SubPictureUnit.unknownDelay { continue }
                if command == .stop, wasShown, ticks <= shownSince {
                    hasBadStop = true
                    continue
                }
                state.apply(command)
                if state.isShown, !wasShown { shownSince = ticks }
            }
            if moments.last?.ticks == ticks { moments.removeLast() }
            moments.append(SubPictureMoment(ticks: ticks, state: state))
        }
        return (moments, hasBadStop)
    }
}

extension SubPictureUnit {
    /// `true` if a command begins the display.
    var hasStart: Bool {
        sequences.contains { sequence in
            sequence.commands.contains { if case .start = $0 { true } else { false } }
        }
    }
}
