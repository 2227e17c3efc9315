import Foundation
import Undertext
import UndertextPlayback

let media = try Media("movie.mkv")
let timeline = CueTimeline(try media.subtitleTracks[0].document().cues)
for cue in timeline.cues(at: .milliseconds(1500)) { print(cue.plainText ?? "an image") }
if let next = timeline.nextChange(after: .milliseconds(1500)) { print(next) }

let bytes = try [UInt8](Data(contentsOf: URL(filePath: "movie.mkv")))
final class Slice: ByteSource {
    let name = "slice.mkv"
    let bytes: [UInt8]
    init(_ bytes: [UInt8]) { self.bytes = bytes }
    var size: UInt64 { UInt64(bytes.count) }
    func read(at offset: UInt64, count: Int) throws -> [UInt8] {
        Array(bytes[Int(offset)...].prefix(count))
    }
}
let own = try await Media.open(.source(Slice(bytes)))
let download = try await Media.open(.bytes(bytes, name: "download.mkv"))
for (one, other) in zip(own.subtitleTracks, download.subtitleTracks) {
    print(one.id, one.codec, other.id, other.codec)
}
