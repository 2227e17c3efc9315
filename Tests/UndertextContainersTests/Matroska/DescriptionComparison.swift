import UndertextContainers
import UndertextCore

/// The differences between the description of a file and ffprobe's, one line each.
func differences(_ file: MatroskaFile, _ path: String) -> [String] {
    let arguments = ["-show_streams", "-show_format", "-show_chapters"]
    guard let probe = FFprobe(arguments, path) else { return ["ffprobe failed"] }
    let description = file.description
    var found: [String] = []
    func compare<Value: Equatable>(_ what: String, _ ours: Value, _ theirs: Value) {
        if ours != theirs { found.append("\(what): \(ours), ffprobe \(theirs)") }
    }
    let streams = probe.all("STREAM")
    compare("streams", description.streams.count, streams.count)
    for (ours, theirs) in zip(description.streams, streams) {
        let name = "stream \(ours.index)"
        compare("\(name) type", codecType(ours.kind), theirs.values["codec_type"] ?? "unknown")
        if let codec = codecName(ours, file) {
            compare("\(name) codec", codec, theirs.values["codec_name"] ?? "")
        }
        let timeBase = "\(ours.timeBase.numerator)/\(ours.timeBase.denominator)"
        compare("\(name) time base", timeBase, theirs.values["time_base"] ?? "")
        compare("\(name) tags", tags(ours.tags), theirs.tags())
        for (bit, key) in dispositions {
            let isSet = ours.disposition.contains(bit) ? "1" : "0"
            compare("\(name) \(key)", isSet, theirs.values["DISPOSITION:\(key)"] ?? "")
        }
        if ours.kind.isSubtitle {
            let size = theirs.values["extradata_size"] ?? "0"
            compare("\(name) extradata", String(ours.codecPrivate.count), size)
        }
        if let size = ours.size, ours.kind == .video || ours.codec == .dvd {
            compare("\(name) width", String(size.width), theirs.values["width"] ?? "")
            compare("\(name) height", String(size.height), theirs.values["height"] ?? "")
        }
    }
    if let format = probe.all("FORMAT").first {
        compare("format tags", tags(description.tags), format.tags())
        compare("format name", description.formatName, format.values["format_name"] ?? "")
        if let duration = description.duration {
            let text = decimalSeconds(Timestamp(nanoseconds: duration * 1000))
            let theirs = format.values["duration"].flatMap(Double.init)
            compare("duration", Double(text), theirs)
        }
    }
    compareChapters(description, probe, &found)
    return found
}

private func compareChapters(
    _ description: ContainerDescription, _ probe: FFprobe, _ found: inout [String]
) {
    let chapters = probe.all("CHAPTER")
    if chapters.count != description.chapters.count {
        found.append("chapters: \(description.chapters.count), ffprobe \(chapters.count)")
    }
    for (ours, theirs) in zip(description.chapters, chapters) {
        let line = "\(ours.id) \(ours.start) \(ours.end) \(tags(ours.tags))"
        let keys = ["id", "start", "end"].map { theirs.values[$0] ?? "" }
        let other = "\(keys.joined(separator: " ")) \(theirs.tags())"
        if line != other { found.append("chapter: \(line), ffprobe \(other)") }
    }
}

private func tags(_ tags: [MetadataTag]) -> [String: String] {
    Dictionary(tags.map { ($0.key, $0.value) }) { _, last in last }
}

private func codecType(_ kind: MediaKind) -> String {
    switch kind {
    case .text, .bitmap: "subtitle"
    default: kind.rawValue
    }
}

/// FFmpeg's name of a codec; `nil` where we do not look far enough to know it.
private func codecName(_ stream: StreamDescription, _ file: MatroskaFile) -> String? {
    let identifier = file.codecIdentifier(ofStream: stream.index) ?? ""
    if stream.codec == .ssa { return "ass" }
    if ["S_TEXT/WEBVTT", "S_TEXT/USF", "S_KATE"].contains(identifier) { return "unknown" }
    return stream.codec == .unknown ? nil : stream.codec.rawValue
}

private let dispositions: [(Disposition, String)] = [
    (.default, "default"), (.dub, "dub"), (.original, "original"), (.comment, "comment"),
    (.forced, "forced"), (.hearingImpaired, "hearing_impaired"),
    (.visualImpaired, "visual_impaired"), (.attachedPicture, "attached_pic"),
    (.captions, "captions"), (.descriptions, "descriptions"), (.metadata, "metadata"),
]
