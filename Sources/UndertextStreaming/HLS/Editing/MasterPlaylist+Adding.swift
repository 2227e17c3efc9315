public import UndertextCore

extension MasterPlaylist {
    /// The playlist with subtitles on every variant; everything else stays, byte for byte.
    ///
    /// Each group of subtitles that exists, or that a variant names, gets every addition, so that all groups
    /// have the same members; a variant without a group gets the first one, or a new one if there is none. RFC
    /// 8216, sections 4.3.4.1, 4.3.4.1.1 and 4.3.4.2:
    /// - Names are unique within a group: a duplicate gets a number.
    /// - A group has at most one default: an existing one stays, otherwise the first additional default is
    ///   used.
    /// - Renditions that players select automatically differ in language, forced or characteristics: another
    ///   addition is left to the user (`AUTOSELECT=NO`) and is not a default.
    /// - Variants for trick play have no subtitles.
    ///
    /// - Parameter additions: the renditions to add, in order.
    /// - Returns: The playlist, and diagnostics for the parts of the request that could not be satisfied.
    public func adding(
        _ additions: [SubtitleAddition]
    ) -> (text: PlaylistText, diagnostics: [Diagnostic]) {
        guard !additions.isEmpty else { return (text, []) }
        var result = text
        var diagnostics: [Diagnostic] = []
        var groups = subtitleGroups.filter { group in
            let isWritable =
                PlaylistAttributes.quotable(group) == group && !group.contains("\u{FFFD}")
            if !isWritable {
                diagnostics.append(
                    Diagnostic(
                        .error, "group-not-extended",
                        "the group '\(PlaylistAttributes.quotable(group))' has characters that a playlist must "
                            + "not have: its variants get no subtitles"))
            }
            return isWritable
        }
        if groups.isEmpty { groups = [Self.newGroup] }
        let tags = tags(of: additions, &diagnostics)
        for variant in variants where !variant.isIFrameOnly && variant.group(.subtitles) == nil {
            Self.setGroup(groups[0], of: &result.lines[variant.line])
        }
        let ending = text.usualEnding
        let lines = groups.flatMap { group in
            tags.map { tag in
                var tag = tag
                tag.set("GROUP-ID", to: .quoted(group))
                return PlaylistLine(Array("#EXT-X-MEDIA:".utf8) + tag.bytes, ending: ending)
            }
        }
        let place = placeOfAdditions
        if place > 0, result.lines[place - 1].ending == .none {
            result.lines[place - 1].ending = ending
        }
        result.lines.insert(contentsOf: lines, at: place)
        return (result, diagnostics)
    }

    private static let newGroup = "subs"

    /// The groups of subtitles that exist or are named, else a new one.
    private var subtitleGroups: [String] {
        let named = variants.filter { !$0.isIFrameOnly }.compactMap { $0.group(.subtitles) }
        let existing = subtitles.map(\.groupID)
        var groups: [String] = []
        var seen: Set<String> = []
        for group in named + existing where seen.insert(group).inserted { groups.append(group) }
        return groups.isEmpty ? [Self.newGroup] : groups
    }

    private var subtitles: [HLSRendition] { renditions.filter { $0.kind == .subtitles } }

    /// The tags without their group.
    private func tags(
        of additions: [SubtitleAddition], _ diagnostics: inout [Diagnostic]
    ) -> [PlaylistAttributes] {
        var names = Set(subtitles.map(\.name))
        var choices = Set(subtitles.filter(\.isAutoselect).map(\.choice))
        var hasDefault = subtitles.contains(where: \.isDefault)
        return additions.map { addition in
            let name = Self.unique(PlaylistAttributes.quotable(addition.name), among: &names)
            let probe = addition.attributes(name: name, isDefault: false, isAutoselect: true)
            let isAutoselect = choices.insert(
                HLSRendition(attributes: probe, line: 0).choice
            ).inserted
            let isDefault = addition.isDefault && isAutoselect && !hasDefault
            hasDefault = hasDefault || isDefault
            if name != addition.name {
                diagnostics.append(
                    Diagnostic(
                        .info, "renamed",
                        "the subtitles '\(addition.name)' are named '\(name)' in the playlist"))
            }
            if !isAutoselect {
                diagnostics.append(
                    Diagnostic(
                        .info, "not-autoselect",
                        "'\(name)' has no AUTOSELECT because similar subtitles exist"
                    ))
            }
            if addition.isDefault, !isDefault {
                diagnostics.append(
                    Diagnostic(
                        .warning, "not-default",
                        "'\(name)' is not the default because other or similar subtitles are"))
            }
            return addition.attributes(name: name, isDefault: isDefault, isAutoselect: isAutoselect)
        }
    }

    private static func unique(_ name: String, among names: inout Set<String>) -> String {
        let base = name.isEmpty ? "Subtitles" : name
        var candidate = base
        var number = 2
        while !names.insert(candidate).inserted {
            candidate = "\(base) (\(number))"
            number += 1
        }
        return candidate
    }

    /// After the last rendition of subtitles, else the last of all, but before the first variant.
    private var placeOfAdditions: Int {
        let variant = variants.map(\.line).min() ?? text.lines.count
        let before = renditions.filter { $0.line < variant }
        let last = before.last { $0.kind == .subtitles } ?? before.last
        return last.map { $0.line + 1 } ?? variant
    }

    private static func setGroup(_ group: String, of line: inout PlaylistLine) {
        line.changeAttributes { $0.set("SUBTITLES", to: .quoted(group)) }
    }
}

extension PlaylistLine {
    /// Changes the attributes of a tag; the text before its colon stays.
    mutating func changeAttributes(_ change: (inout PlaylistAttributes) -> Void) {
        guard let colon = content.firstIndex(of: UInt8(ascii: ":")) else { return }
        var attributes = PlaylistAttributes(Array(content[(colon + 1)...]))
        change(&attributes)
        content.replaceSubrange((colon + 1)..., with: attributes.bytes)
    }
}
