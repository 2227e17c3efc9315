import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// The output of `mkvextract` for a track of a Matroska file; `nil` if there is none.
func mkvextract(_ file: String, extension name: String, track: Int = 0) -> [UInt8]? {
    let folder = TemporaryDirectory()
    let result = run("mkvextract", ["-q", file, "tracks", "\(track):" + folder / "out.\(name)"])
    guard result.status < 2 else { return nil }
    return fileBytes(folder / "out.\(name)")
}

/// The same with the bytes of the file.
func mkvextract(_ file: MatroskaFile, extension name: String) -> [UInt8]? {
    let folder = TemporaryDirectory()
    return mkvextract(folder.write(file.bytes, to: "in.mkv"), extension: name)
}

/// The two files that `mkvextract` makes of a VobSub track.
func mkvextractVobSub(_ file: String, track: Int = 0) -> [[UInt8]]? {
    let folder = TemporaryDirectory()
    let result = run("mkvextract", ["-q", file, "tracks", "\(track):" + folder / "out.sub"])
    guard result.status < 2, let idx = fileBytes(folder / "out.idx"),
        let sub = fileBytes(folder / "out.sub")
    else { return nil }
    return [idx, sub]
}

/// Bytes without the byte order mark that `mkvextract` puts before text.
func withoutMark(_ bytes: [UInt8]?) -> String? {
    guard let bytes else { return nil }
    let rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
    return String(decoding: rest, as: UTF8.self)
}

/// A stream and its packets as libavformat delivers them, by way of `ffprobe`'s text.
struct ProbedStream {
    var extradata: [UInt8] = []
    var packets: [Packet] = []

    /// Reads stream `index` of a file, or of what a demuxer of that name takes for one; `nil` if ffprobe fails.
    init?(_ file: String, stream index: Int = 0, demuxer: String? = nil) {
        let result = run(
            "ffprobe",
            (demuxer.map { ["-f", $0] } ?? []) + [
                "-v", "error", "-select_streams", "\(index)", "-show_packets", "-show_streams",
                "-show_data", file,
            ])
        guard result.status == 0 else { return nil }
        var base = TimeBase.milliseconds
        var current: Packet?
        var isStream = false
        var isSideData = false
        for line in result.text.split(separator: "\n", omittingEmptySubsequences: false) {
            let value = line.firstIndex(of: "=").map { String(line[line.index(after: $0)...]) }
            if line == "[PACKET]" {
                current = Packet(streamIndex: index, pts: nil, timeBase: base, data: [])
            } else if line == "[/PACKET]", let packet = current {
                packets.append(packet)
                current = nil
            } else if line == "[SIDE_DATA]" || line == "[/SIDE_DATA]" {
                isSideData = line == "[SIDE_DATA]"
            } else if isSideData {
                continue
            } else if line == "[STREAM]" {
                isStream = true
            } else if line.hasPrefix("pts=") {
                current?.pts = value.flatMap { Int64($0) }
            } else if line.hasPrefix("dts=") {
                current?.dts = value.flatMap { Int64($0) }
            } else if line.hasPrefix("duration=") {
                current?.duration = value.flatMap { Int64($0) }
            } else if line.hasPrefix("time_base="), let parts = value?.split(separator: "/"),
                let denominator = parts.last.flatMap({ Int32($0) })
            {
                base = TimeBase(1, denominator)
            } else if let bytes = Self.dumped(line) {
                if isStream { extradata += bytes } else { current?.data += bytes }
            }
        }
        for position in packets.indices { packets[position].timeBase = base }
    }

    /// The bytes of a line such as `00000010: 6162 63   abc`.
    private static func dumped(_ line: Substring) -> [UInt8]? {
        guard line.count > 10, line.prefix(8).allSatisfy(\.isHexDigit),
            line.dropFirst(8).hasPrefix(": ")
        else { return nil }
        let digits = line.dropFirst(10).prefix(40).filter { $0 != " " }
        var bytes: [UInt8] = []
        var rest = digits[...]
        while rest.count >= 2, let byte = UInt8(rest.prefix(2), radix: 16) {
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
