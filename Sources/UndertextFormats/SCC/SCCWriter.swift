package import UndertextCore

/// Writes cues as pop-on captions of service CC1 in a Scenarist SCC file.
///
/// A caption is loaded out of sight before it is due, two bytes in each frame, so that it appears in the frame of its
/// start. Cues that are on the screen together become one caption, loaded again whenever one of them comes or goes.
package struct SCCWriter: CueWriter {
    /// The losses of the captions so far.
    package private(set) var losses = ConversionLosses()
    /// Number of cues written so far.
    package private(set) var cueCount = 0

    /// A cue on the screen.
    private struct Active {
        var caption: SCCCaption
        var end: Int64
    }

    /// The screen from a frame on.
    private struct Change {
        var frame: Int64
        var screen: CEA608Screen
        /// The cue that caused it.
        var cue: (order: Int, start: Timestamp)
    }

    /// The first line of a file.
    static let signature = Array("Scenarist_SCC V1.0\n".utf8)

    private let dropsFrames: Bool
    private let classes: WebVTTClassColors
    /// `true` if rules of style sheets are lost, which is reported once.
    private var losesRules: Bool
    private let regions: [Region]
    private let sources: SourceLosses
    private var active: [Active] = []
    private var pending: Change?
    /// The frame at which the screen becomes empty, not sent yet.
    private var erasure: Int64?
    /// The first frame that nothing is sent in yet.
    private var free: Int64 = 0
    private var cue: (order: Int, start: Timestamp) = (0, .zero)

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - header: what is known of the track.
    ///   - dropsFrames: `true` for drop-frame time codes, which keep up with the clock.
    package init(header: SubtitleHeader = SubtitleHeader(), dropsFrames: Bool = true) {
        self.dropsFrames = dropsFrames
        classes = WebVTTClassColors(header.styleSheets)
        losesRules = classes.hasOtherRules
        regions = header.regions
        sources = SourceLosses([], header: header)
    }

    /// Writes the signature.
    package mutating func begin(into output: inout [UInt8]) {
        output += Self.signature
    }

    /// Takes a cue and writes what no later one can change.
    package mutating func write(_ cue: Cue, into output: inout [UInt8]) {
        let start = FrameRate.ntsc.frame(at: cue.start)
        advance(to: start, into: &output)
        let taken = active.reduce(into: GridRows()) { $0.formUnion(GridRows($1.caption.rows)) }
        let caption = SCCCaption(cue, classes: classes, regions: regions, besides: taken)
        if losesRules {
            losesRules = false
            losses.record(.style, in: cue)
        }
        losses.record(caption.losses, of: cue, sources: sources)
        guard !caption.rows.isEmpty else { return }
        cueCount += 1
        self.cue = (cue.order, cue.start)
        active.append(
            Active(caption: caption, end: max(start + 1, FrameRate.ntsc.frame(at: cue.end))))
        change(at: start, into: &output)
    }

    /// Writes what is left.
    package mutating func finish(into output: inout [UInt8]) {
        advance(to: .max, into: &output)
        commit(into: &output)
        if let erasure { erase(at: erasure, into: &output) }
        erasure = nil
    }

    // MARK: Screens

    /// Lets cues disappear up to a frame.
    private mutating func advance(to frame: Int64, into output: inout [UInt8]) {
        while let end = active.map(\.end).min(), end <= frame {
            active.removeAll { $0.end <= end }
            change(at: end, into: &output)
        }
    }

    private mutating func change(at frame: Int64, into output: inout [UInt8]) {
        if let pending, pending.frame < frame { commit(into: &output) }
        var screen = CEA608Screen()
        for entry in active { screen.add(entry.caption.screen, rows: entry.caption.rows) }
        pending = Change(frame: frame, screen: screen, cue: cue)
    }

    private mutating func commit(into output: inout [UInt8]) {
        guard let change = pending else { return }
        pending = nil
        guard !change.screen.isEmpty else {
            erasure = change.frame
            return
        }
        let units = SCCCaptionEncoder(change.screen).units
        let length = units.reduce(Int64(0)) { $0 + Int64($1.count / 2) }
        if let erased = erasure, erased + 2 <= change.frame - length || erased <= free {
            erase(at: erased, into: &output)
            erasure = nil
        }
        // The erasure takes two frames within the load.
        let extra: Int64 = erasure == nil ? 0 : 2
        let begin = max(free, change.frame - length - extra)
        var frame = begin
        var line: [UInt8] = []
        for unit in units {
            if let erased = erasure, frame >= erased {
                line += SCCCaptionEncoder.eraseDisplayed
                frame += 2
                erasure = nil
            }
            line += unit
            frame += Int64(unit.count / 2)
        }
        erasure = nil
        if frame > change.frame {
            losses.record(.timing, cue: change.cue.order, start: change.cue.start)
        }
        line += SCCCaptionEncoder.endOfCaption
        // A load that the erasure did not fall into ends early.
        append(line, at: max(begin, change.frame - (frame - begin)), into: &output)
    }

    private mutating func erase(at frame: Int64, into output: inout [UInt8]) {
        append(SCCCaptionEncoder.eraseDisplayed, at: max(free, frame), into: &output)
    }

    private mutating func append(_ bytes: [UInt8], at frame: Int64, into output: inout [UInt8]) {
        output += SCCTimecode(frame: frame, dropsFrames: dropsFrames)
            .line(of: bytes.map(SCCParser.withParity))
        free = frame + Int64(bytes.count / 2)
    }
}
