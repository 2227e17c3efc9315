import TestSupport
import UndertextCore

/// The keys of `format` that ffprobe and we must both have, or both lack.
private let formatKeys = [
    "filename", "nb_streams", "nb_programs", "format_name", "format_long_name", "start_time",
    "duration", "size", "probe_score", "tags",
]

/// The keys of a stream that ffprobe and we must both have, or both lack.
private let streamKeys = [
    "index", "codec_name", "codec_type", "codec_tag", "codec_tag_string", "id", "time_base",
    "width", "height", "sample_rate", "channels", "channel_layout", "extradata_size",
    "disposition", "tags",
]

/// The deviations of our probe from ffprobe's in what the contract fixes; one line each.
func contractDifferences(_ ours: JSON, _ ffprobe: JSON) -> [String] {
    var result = compare(ours["format"], ffprobe["format"], formatKeys, "format")
    result += compareLists("streams", ours, ffprobe) { compare($0, $1, streamKeys, $2) }
    result += compareLists("chapters", ours, ffprobe) {
        $0 == $1 ? [] : ["\($2): \(show($0)) for \(show($1))"]
    }
    result += compareLists("programs", ours, ffprobe) { ours, theirs, place in
        compare(without(ours, "streams"), without(theirs, "streams"), ["program_id"], place)
            + compareLists("streams", ours, theirs, in: place) { compare($0, $1, streamKeys, $2) }
    }
    return result
}

private func compareLists(
    _ key: String, _ ours: JSON, _ theirs: JSON, in place: String = "",
    _ compare: (JSON, JSON, String) -> [String]
) -> [String] {
    let left = ours[key]?.values ?? []
    let right = theirs[key]?.values ?? []
    let place = place.isEmpty ? key : "\(place).\(key)"
    guard left.count == right.count else { return ["\(place): \(left.count) for \(right.count)"] }
    return left.indices.flatMap { compare(left[$0], right[$0], "\(place)[\($0)]") }
}

/// `fixed` keys are equal or both absent; what else we have is equal.
private func compare(_ ours: JSON?, _ theirs: JSON?, _ fixed: [String], _ place: String) -> [String]
{
    guard let ours, let theirs else { return ["\(place) is missing"] }
    let keys = fixed + ours.keys.filter { !fixed.contains($0) && $0 != "undertext" }
    return keys.compactMap { key in
        let (left, right) = (ours[key], theirs[key])
        let isEqual = key == "disposition" ? sameFlags(left, right) : left == right
        return isEqual ? nil : "\(place).\(key): \(show(left)) for \(show(right))"
    }
}

/// `true` if the dispositions have the same values, except that ours has flags of later versions only if they are set.
private func sameFlags(_ ours: JSON?, _ theirs: JSON?) -> Bool {
    guard let ours, let theirs else { return ours == theirs }
    let zero = JSON.integer(0)
    return ours.keys.allSatisfy { ours[$0] == theirs[$0] }
        && theirs.keys.allSatisfy {
            ours[$0] == theirs[$0]
                || ["non_diegetic", "multilayer"].contains($0) && ours[$0] == nil
                    && theirs[$0] == zero
        }
}

private func without(_ json: JSON, _ key: String) -> JSON {
    guard case .object(let members) = json else { return json }
    return .object(members.filter { $0.key != key })
}

private func show(_ json: JSON?) -> String {
    json.map { String(decoding: $0.compact, as: UTF8.self) } ?? "nothing"
}
