import UndertextPlayback
import UndertextRendering

/// Draws the subtitles of a video over its frames.
final class SubtitleOverlay {
    let model = SubtitleModel()
    private let renderer: OverlayRenderer
    private var changeID: UInt64?

    init(video: String, size: PixelSize) throws {
        model.addSubtitle(dataSource: EmbeddedSubtitles(of: video))
        model.addSubtitle(dataSource: DirectorySubtitles(of: video))
        model.select(language: "en")
        renderer = try OverlayRenderer(
            model: model, geometry: OverlayGeometry(video: size, format: .bgra))
    }

    /// Returns the overlay of a frame, or `nil` if that of the frame before is still right.
    func overlay(at time: Timestamp) throws -> Overlay? {
        let overlay = try renderer.overlay(at: time)
        defer { changeID = overlay.changeID }
        return overlay.changeID == changeID ? nil : overlay
    }
}

let subtitles = try SubtitleOverlay(
    video: "movie.mkv", size: PixelSize(width: 1280, height: 720))
let model = subtitles.model
_ = model.waitUntilReady()
for info in model.subtitleInfos.sorted(by: { $0.name < $1.name }) {
    print(info.isEnabled ? "*" : "-", info.name, info.isBitmap ? "(images)" : "")
}

/// Plays a part of the video at 25 frames a second.
func play(_ subtitles: SubtitleOverlay, from start: Timestamp, until end: Timestamp) throws {
    var time = start
    while time < end {
        // This loop is faster than a player and would be ahead of the thread that reads.
        _ = subtitles.model.subtitle(currentTime: time)
        _ = subtitles.model.waitUntilReady()
        if let overlay = try subtitles.overlay(at: time) {
            print(time, overlay.isEmpty ? "clear" : "draw")
        }
        time = time.advanced(by: .milliseconds(40))
    }
}
try play(subtitles, from: .zero, until: .seconds(5))
try play(subtitles, from: .seconds(15), until: .seconds(20))

model.select(language: "pt")
model.subtitleDelay = .milliseconds(200)
try play(subtitles, from: .seconds(1), until: .seconds(4))

_ = model.subtitle(currentTime: .seconds(2))
for part in model.parts {
    print(part.start, part.end, part.text?.plainText ?? "an image at \(part.origin.x)")
}
