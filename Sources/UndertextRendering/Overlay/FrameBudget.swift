#if Rendering
    internal import UndertextCore

    /// The budget for the text of one frame, because libass cannot be cancelled and never frees fonts.
    struct FrameBudget {
        /// An event with its cost.
        typealias Event = (line: [UInt8], price: EventPrice)

        /// The cues that are drawn, with their events.
        private(set) var shown: [(cue: Cue, events: [Event])] = []
        /// The fonts that are opened.
        private(set) var faces: Set<FontFace> = []
        /// The characters to search.
        private(set) var asked: [FontFace: FontUse] = [:]
        /// The number of skipped cues, and the first of them.
        private(set) var leftOut = (count: 0, first: Cue?.none)
        /// The number of examined cues; others beyond the limit are skipped unseen.
        private(set) var lookedAt = 0

        private var pixels: Double
        /// The number of bytes of events that may be examined, which limits the cost of skipped events.
        private var bytes: Double
        private var events = 0
        private let mostEvents: Int

        /// The maximum number of events that are drawn at the same time.
        static let mostEvents = 5000

        init(_ geometry: OverlayGeometry, mostEvents: Int = FrameBudget.mostEvents) {
            self.mostEvents = mostEvents
            pixels = EventCost.budget(geometry)
            bytes = pixels / EventCost.byte
        }

        /// Chooses from cues, the lowest and first ones first.
        mutating func choose(
            from cues: [Cue], _ source: ScriptSource, _ cost: EventCost,
            _ glyphs: GlyphCoverageCache
        ) {
            var areas: Set<RegionBackground> = []
            for cue in cues {
                guard events < mostEvents, bytes > 0 else { break }
                lookedAt += 1
                let lines = source.events(
                    of: cue, number: min(cue.order, Int(Int32.max)), areas: &areas)
                events += lines.count
                // The same bytes would cost more than there is.
                let size = Double(lines.reduce(0) { $0 + $1.count })
                bytes -= size
                guard events <= mostEvents, size * EventCost.byte <= pixels,
                    take(lines.map { ($0, cost.price(of: $0)) }, of: cue, glyphs)
                else {
                    leaveOut(1, cue)
                    continue
                }
            }
            if lookedAt < cues.count { leaveOut(cues.count - lookedAt, cues[lookedAt]) }
        }

        private mutating func leaveOut(_ count: Int, _ cue: Cue) {
            leftOut = (leftOut.count + count, leftOut.first ?? cue)
        }

        private mutating func take(
            _ new: [Event], of cue: Cue, _ glyphs: GlyphCoverageCache
        ) -> Bool {
            var price = 0.0
            var wanted = faces
            var letters: [FontFace: FontUse] = [:]
            for (_, event) in new {
                price += event.pixels
                for (face, use) in event.fonts {
                    wanted.insert(face)
                    guard face.family.count <= FontFace.longestFamily,
                        wanted.count <= FontFace.mostAtOnce
                    else { return false }
                    guard !use.letters.isEmpty else { continue }
                    let unknown = glyphs.unknown(use.letters, face)
                    guard !unknown.isEmpty else { continue }
                    var more = letters[face] ?? asked[face] ?? FontUse(lead: use.lead)
                    let before = more.letters.count
                    more.letters.formUnion(unknown)
                    price += Double(more.letters.count - before) * EventCost.lookup
                    letters[face] = more
                }
            }
            guard price <= pixels else { return false }
            pixels -= price
            faces = wanted
            asked.merge(letters) { $1 }
            shown.append((cue, new))
            return true
        }
    }
#endif
