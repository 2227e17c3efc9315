import Foundation
import TestSupport
import Testing
import UndertextCore
import UndertextFFmpeg

/// The packets of subtitle streams against what `ffprobe` prints of the same file.
@Suite struct PacketComparisonTests {
    static let extensions: Set<String> = [
        "mkv", "webm", "mp4", "ts", "sup", "idx", "srt", "ass", "ssa", "scc", "smi",
    ]

    @Test(.requires("ffprobe"), .requiresCorpus(), arguments: Material.corpusFiles(extensions))
    func readsLikeFFprobe(_ path: String) throws {
        guard let demuxer = try? FFmpegDemuxer(.path(path)) else { return }
        let subtitles = demuxer.description.streams.filter {
            $0.details?.codecType == "subtitle"
        }.map(\.index)
        demuxer.select(Set(subtitles))
        let actual = try packets(demuxer)
        #expect(actual.allSatisfy { subtitles.contains($0.streamIndex) }, "\(path)")
        let output = Material.run(
            "ffprobe",
            [
                "-v", "quiet", "-show_packets", "-show_data_hash", "CRC32", "-select_streams", "s",
                "-of", "json", "file:" + path,
            ])
        let printed = try JSONSerialization.jsonObject(with: output) as? [String: Any]
        let expected = printed?["packets"] as? [[String: Any]] ?? []
        #expect(expected.count == actual.count, "\(path)")
        for (left, right) in zip(expected, actual) {
            let place = "\(path) at \(right.pts ?? -1)"
            #expect(left["stream_index"] as? Int == right.streamIndex, "\(place)")
            #expect(left["pts"] as? Int == right.pts.map { Int($0) }, "\(place)")
            #expect(left["dts"] as? Int == right.dts.map { Int($0) }, "\(place)")
            // libavformat's text formats leave −1 where they know no length.
            let duration = left["duration"] as? Int
            #expect((duration == -1 ? nil : duration) == right.duration.map { Int($0) }, "\(place)")
            #expect(left["size"] as? String == String(right.data.count), "\(place)")
            #expect(left["pos"] as? String == right.position.map { String($0) }, "\(place)")
            #expect(left["data_hash"] as? String == "CRC32:" + crc32(right.data), "\(place)")
            #expect((left["flags"] as? String)?.hasPrefix("K") == right.isKey, "\(place)")
            let kinds = (left["side_data_list"] as? [[String: Any]] ?? []).count
            #expect(kinds == right.sideData.count, "\(place)")
        }
    }

    /// CRC-32 as ffprobe prints it.
    private func crc32(_ bytes: [UInt8]) -> String {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            crc = Self.table[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ crc >> 8
        }
        return String(format: "%08x", ~crc)
    }

    private static let table: [UInt32] = (0..<256).map { value in
        (0..<8).reduce(UInt32(value)) { crc, _ in
            crc & 1 != 0 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1
        }
    }
}
