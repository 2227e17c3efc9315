internal import UndertextContainers
internal import UndertextFormats

/// The canvas of a .sub file of which neither an .idx nor an information file tells it.
enum VobSubCanvas {
    /// Units that are looked at; the lowest subtitles of a film come among its first.
    private static let unitsAtMost = 64

    /// The description with the canvas on which the first units have room, the smallest one of
    /// discs: 720x480, 720x576 or 1920x1080.
    static func completed(
        _ description: ContainerDescription, of file: VobSubFile, _ options: Media.Options
    ) -> ContainerDescription {
        var completed = description
        let unknown = description.streams.indices.filter {
            let stream = description.streams[$0]
            return stream.codec == .dvd && stream.size == nil && stream.codecPrivate.isEmpty
        }
        guard !unknown.isEmpty else { return description }
        let wanted = Set(unknown.map { description.streams[$0].index })
        let reader = file.packetReader(for: wanted)
        let bitmaps = DecodingOptions(limits: options.limits)
        var decoders = Dictionary(
            uniqueKeysWithValues: unknown.compactMap { place in
                let stream = description.streams[place]
                return SubtitleFormat.decoder(of: stream, options: bitmaps).map {
                    (stream.index, $0)
                }
            })
        var (right, bottom) = (0, 0)
        // What cannot be read is told when it is read for good.
        for _ in 0..<unitsAtMost {
            guard let packet = try? reader.nextPacket() else { break }
            for event in decoders[packet.streamIndex]?.decode(packet) ?? [] {
                guard case .cue(let draft) = event, case .images(let content) = draft.cue.content
                else { continue }
                for image in content.images {
                    right = max(right, image.x + image.bitmap.width)
                    bottom = max(bottom, image.y + image.bitmap.height)
                }
            }
        }
        guard bottom > 0 else { return description }
        let isHigh = right > 720 || bottom > 576
        let size =
            isHigh
            ? PixelSize(width: 1920, height: 1080)
            : PixelSize(width: 720, height: bottom > 480 ? 576 : 480)
        for place in unknown { completed.streams[place].size = size }
        return completed
    }
}
