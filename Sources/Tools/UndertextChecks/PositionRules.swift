internal import UndertextCore

/// The rule about positions.
extension TrackCheck {
    /// Checks that a stated position is within the safe area.
    mutating func checkPosition(_ cue: CheckedCue) {
        guard let entry = setting(.safeArea), case .number(let margin) = entry.limit,
            !cue.isEmpty, let edges = edges(of: cue)
        else { return }
        let range = margin...max(margin, 100 - margin)
        // Percentages of pixels are rounded in many formats.
        let tolerance = 0.05
        let outside: [(String, Double)] = [
            ("left", edges.left), ("upper", edges.top), ("right", edges.right),
            ("lower", edges.bottom),
        ].compactMap { name, edge in
            guard let edge,
                edge < range.lowerBound - tolerance || edge > range.upperBound + tolerance
            else { return nil }
            return (name, edge)
        }
        guard let first = outside.first else { return }
        let text = outside.map { "\($0.0) edge at \(shortNumber(($0.1 * 10).rounded() / 10)) %" }
        add(
            entry, cue, measured: first.1, limit: margin,
            "is outside of the safe area of \(shortNumber(range.lowerBound)) to "
                + "\(shortNumber(range.upperBound)) %: \(text.joined(separator: ", "))")
    }

    /// The known edges of a cue on the video; `nil` if its position is left to the player.
    private func edges(of cue: CheckedCue) -> Edges? {
        if let images = cue.images { return images.edges }
        let layout = cue.cue.layout
        guard !layout.isDefault else { return nil }
        let lines = layout.captionLines.lines
        if !lines.isEmpty {
            return Edges(
                left: lines.map(\.left).min(), top: lines.map(\.top).min(), right: nil,
                bottom: lines.map { $0.top + $0.height }.max())
        }
        let region = layout.region.flatMap { name in track.regions.first { $0.id == name } }
        let text = cue.text ?? ""
        let box = CueBox(
            layout, direction: layout.direction ?? TextDirection(of: text), region: region)
        var along = (start: Double?.none, end: Double?.none)
        // Without a stated position, lines are as wide as the player likes.
        if layout.position != nil || layout.size != 100 || region != nil {
            // The text is narrower than its box: only the edge at which it is aligned is known.
            switch box.side {
            case .left: along.start = box.start
            case .right: along.end = box.end
            case .center:
                let center = (box.start + box.end) / 2
                along = (center, center)
            }
        }
        var across = (start: Double?.none, end: Double?.none)
        if case .percent(let line, let alignment) = box.lines {
            let height = Double(TextMeasure.lines(of: text).count) * CueBox.lineHeight
            switch alignment {
            case .start: across = (line, line + height)
            case .center: across = (line - height / 2, line + height / 2)
            case .end: across = (line - height, line)
            }
        }
        return layout.vertical == .horizontal
            ? Edges(left: along.start, top: across.start, right: along.end, bottom: across.end)
            : Edges(left: across.start, top: along.start, right: across.end, bottom: along.end)
    }
}
