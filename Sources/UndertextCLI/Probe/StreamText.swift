internal import Undertext
internal import UndertextCore

/// A human-readable description of one stream.
struct StreamText {
    private let stream: StreamDescription
    private let facts: ExtractionSummary?
    private let container: ContainerDescription

    init(_ stream: StreamDescription, facts: ExtractionSummary?, in container: ContainerDescription)
    {
        self.stream = stream
        self.facts = facts
        self.container = container
    }

    /// The codec, format details, language and flags on one line.
    var summary: String {
        var parts = [stream.codec.rawValue]
        if let service = stream.service { parts.append(service) }
        let details = stream.details
        if let size = stream.size, size.width > 0, size.height > 0 {
            parts.append("\(size.width)x\(size.height)")
        }
        if stream.kind == .video, let rate = stream.frameRate, rate.isValid {
            parts.append(rateText(rate) + " fps")
        }
        if stream.kind == .audio {
            if let rate = stream.sampleRate, rate > 0 { parts.append("\(rate) Hz") }
            if let layout = details?.channelLayout {
                parts.append(layout)
            } else if let channels = stream.channels, channels > 0 {
                parts.append(channels == 1 ? "1 channel" : "\(channels) channels")
            }
        }
        if let rate = stream.bitRate, rate >= 1000 { parts.append("\(rate / 1000) kbit/s") }
        if let language = stream.language {
            parts.append(language.rawValue)
        } else if stream.kind.isSubtitle {
            parts.append("language unknown")
        }
        return (parts + flags).joined(separator: ", ")
    }

    /// The remaining fields: title, output formats, index, cues.
    var fields: [(String, String)] {
        var fields: [(String, String)] = []
        if let title = stream.title, !title.isEmpty { fields.append(("title", title)) }
        guard let facts else { return fields }
        var names: [String] = []
        // Several image outputs share one folder.
        for name in facts.outputs.flatMap(fileNames) where !names.contains(name) {
            names.append(name)
        }
        let nothing = "nothing" + (facts.refusal.map { ": " + $0 } ?? "")
        fields.append(("extracts", names.isEmpty ? nothing : names.joined(separator: ", ")))
        let packets = facts.packets.map { ", \($0) \($0 == 1 ? "packet" : "packets")" } ?? ""
        fields.append(("indexed", (facts.indexed ? "yes" : "no") + packets))
        if let cues = cueText(facts) { fields.append(("cues", cues)) }
        return fields
    }

    private var flags: [String] {
        stream.disposition.names.map { name in
            switch name {
            case "hearing_impaired": "SDH"
            case "attached_pic": "cover"
            default: String(name.map { $0 == "_" ? " " : $0 })
            }
        }
    }

    private func cueText(_ facts: ExtractionSummary) -> String? {
        var parts: [String] = []
        if let cues = facts.cues { parts.append("\(cues)") }
        switch (facts.first, facts.last) {
        case (let first?, let last?): parts.append("\(clock(first)) to \(clock(last))")
        case (let first?, nil): parts.append("from \(clock(first))")
        case (nil, let last?): parts.append("until \(clock(last))")
        case (nil, nil): break
        }
        if let coverage = facts.coverage, (0...1).contains(coverage) {
            parts.append("on screen \(Int((coverage * 100).rounded())) % of the time")
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// The suffixes of the files that `extract` writes: `[N.]LANG[.forced][.sdh].EXT`.
    private func fileNames(_ format: String) -> [String] {
        let names = OutputNames(stem: "", streams: container.streams, forcedOnly: false)
        return names.files(of: stream, as: format).map { String($0.dropFirst()) }
    }
}

private func clock(_ time: Timestamp) -> String { clockText(Timestamp.zero.duration(to: time)) }

/// Formats a rate with at most three decimals.
private func rateText(_ rate: TimeBase) -> String {
    rateText(
        thousandths: (Int64(rate.numerator) * 1000 + Int64(rate.denominator) / 2)
            / Int64(rate.denominator))
}

/// Formats a rate without trailing zeros.
func rateText(thousandths: Int64) -> String {
    let text = decimalSeconds(.milliseconds(thousandths))
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

extension MediaStreamInfo {
    /// The variants of a presentation's stream, one line each: size, rate, codec, bandwidth, other attributes.
    var variantLines: [String] {
        tracks.filter { $0.bandwidth != nil }.map(\.variantLine)
    }
}

extension TrackInfo {
    fileprivate var variantLine: String {
        var parts: [String] = []
        if let width, let height { parts.append("\(width)x\(height)") }
        if let thousandths = frameRate.flatMap({ Int64(exactly: ($0 * 1000).rounded()) }) {
            parts.append(rateText(thousandths: thousandths) + " fps")
        }
        if let channels { parts.append(channels == 1 ? "1 channel" : "\(channels) channels") }
        if let codec { parts.append(codec.rawValue) }
        if let bandwidth { parts.append("\(bandwidth / 1000) kbit/s") }
        if isIFrameOnly { parts.append("I-frames only") }
        for (name, value) in customAttributes.sorted(by: { $0.key < $1.key }) {
            parts.append("\(name)=\(value)")
        }
        return parts.joined(separator: ", ")
    }
}
