import Testing
import UndertextCore
import UndertextFFmpeg

@testable import Undertext

/// Compares our images with libavcodec's, at each time for which libavcodec states the screen.
struct BitmapComparison {
    /// The number of compared times.
    var count = 0
    /// The times at which something else is shown.
    var differing: [Timestamp] = []

    /// - Parameters:
    ///   - track: the track to decode.
    ///   - packets: the packets for libavcodec; `nil` for the same.
    ///   - options: libavcodec's options.
    /// - Throws: errors of decoding.
    init(
        _ track: PacketTrack, packets: [Packet]? = nil, options: [String: String] = [:]
    ) throws {
        let decoder = try FFmpegSubtitleDecoder(track.stream, options: options)
        let timeline = CueTimeline(try track.cues().cues)
        for packet in packets ?? track.packets {
            for event in try decoder.decode(packet) {
                // Not the event's own time, which is rounded to microseconds.
                guard let start = packet.start ?? event.start else { continue }
                let time = start.advanced(by: .milliseconds(Int64(event.startOffset)))
                count += 1
                if !Self.agree(event, timeline.cues(at: time)) { differing.append(time) }
            }
        }
    }

    /// Opacity is equal, and colors of what is visible are two steps apart at most.
    private static func agree(_ event: DecodedSubtitle, _ cues: [Cue]) -> Bool {
        let ours = cues.compactMap { cue -> CueImages? in
            if case .images(let images) = cue.content { return images }
            return nil
        }
        guard let canvas = ours.first?.canvas ?? event.canvas else { return event.images.isEmpty }
        let placed = event.images.compactMap { image in
            IndexedBitmap(
                width: image.width, height: image.height, indices: image.indices,
                palette: image.palette.map(RGBA.init(rawValue:))
            ).map { PlacedBitmap(x: image.x, y: image.y, bitmap: $0) }
        }
        let left = canvasPixels(
            CueImages(canvas: canvas, images: ours.flatMap(\.images)), canvas)
        let right = canvasPixels(CueImages(canvas: canvas, images: placed), canvas)
        return stride(from: 0, to: left.count, by: 4).allSatisfy { pixel in
            guard left[pixel + 3] == right[pixel + 3] else { return false }
            return left[pixel + 3] == 0
                || (pixel..<pixel + 3).allSatisfy { abs(Int(left[$0]) - Int(right[$0])) <= 2 }
        }
    }
}
