import TestSupport
import UndertextCore

/// The description of a file by ffprobe, as its `default` writer prints it.
struct FFprobe {
    /// A section such as `[STREAM]`: keys and values in order, nested sections by their names.
    struct Section {
        var name: String
        var values: [String: String] = [:]
        var nested: [Section] = []

        func tags() -> [String: String] {
            var tags: [String: String] = [:]
            for (key, value) in values where key.hasPrefix("TAG:") {
                tags[String(key.dropFirst(4))] = value
            }
            return tags
        }
    }

    let sections: [Section]

    /// Runs ffprobe; `nil` if it fails.
    init?(_ arguments: [String], _ path: String) {
        let result = run("ffprobe", ["-v", "error", "-of", "default"] + arguments + [path])
        guard result.status == 0 else { return nil }
        var stack = [Section(name: "")]
        for line in result.text.split(separator: "\n") {
            if line.hasPrefix("[/"), stack.count > 1 {
                let done = stack.removeLast()
                stack[stack.count - 1].nested.append(done)
            } else if line.hasPrefix("["), line.hasSuffix("]") {
                stack.append(Section(name: String(line.dropFirst().dropLast())))
            } else if let equals = line.firstIndex(of: "=") {
                let key = String(line[..<equals])
                stack[stack.count - 1].values[key] = String(line[line.index(after: equals)...])
            }
        }
        sections = stack[0].nested
    }

    func all(_ name: String) -> [Section] { sections.filter { $0.name == name } }

    /// The packets of the subtitle streams, each as a line, in the order of the file.
    static func subtitlePackets(_ path: String) -> [String]? {
        let arguments = ["-select_streams", "s", "-show_packets", "-show_data_hash", "CRC32"]
        guard let probe = FFprobe(arguments, path) else { return nil }
        return probe.all("PACKET").map { packet in
            func value(_ key: String) -> String { packet.values[key] ?? "N/A" }
            let sides = packet.nested.compactMap { $0.values["side_data_type"] }
            return [
                value("stream_index"), value("pts"), value("dts"), value("duration"),
                value("flags").hasPrefix("K") ? "K" : "_", value("size"), value("pos"),
                value("data_hash"), sides.joined(separator: "+"),
            ].joined(separator: " ")
        }
    }
}

/// A packet in the form of ``FFprobe/subtitlePackets(_:)``.
func line(_ packet: Packet) -> String {
    func text(_ value: Int64?) -> String { value.map { String($0) } ?? "N/A" }
    let sides = packet.sideData.map { data in
        switch data.kind {
        case .webVTTIdentifier: "WebVTT ID"
        case .webVTTSettings: "WebVTT Settings"
        case .blockAdditional: "Matroska BlockAdditional"
        default: data.kind.rawValue
        }
    }
    let crc = String(crc32(packet.data), radix: 16)
    return [
        String(packet.streamIndex), text(packet.pts), text(packet.dts), text(packet.duration),
        packet.isKey ? "K" : "_", String(packet.data.count),
        packet.position.map { String($0) } ?? "N/A",
        "CRC32:" + String(repeating: "0", count: 8 - crc.utf8.count) + crc,
        sides.joined(separator: "+"),
    ].joined(separator: " ")
}

/// The CRC-32 of zlib and PNG, bit by bit.
private func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0xEDB8_8320 }
    }
    return ~crc
}
