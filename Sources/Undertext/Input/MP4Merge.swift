internal import UndertextContainers
internal import UndertextFormats

/// Adds to libavformat's description of an MP4 file what our own reader finds of its text tracks.
enum MP4Merge {
    /// Documents that are looked at for whether they show images.
    private static let documentsAtMost = 3
    /// Boxes behind `moov` that are looked at for a fragment with a document, where nothing is said of images.
    private static let boxesAtMost = 32

    static func complete(
        _ description: inout ContainerDescription, _ mp4: MP4File?, limits: Limits
    ) {
        for index in description.streams.indices {
            let stream = description.streams[index]
            guard stream.kind.isSubtitle else { continue }
            let track = mp4?.tracks.first { $0.id == stream.id }
            description.streams[index].area = track?.area
            if WVTTUnpacker.unpacks(stream) {
                // What a packet says has been put on the track's clock when it is unpacked.
                description.streams[index].inlineTimeOrigin = .timeline
                if let track { description.streams[index].codecPrivate = track.webVTTHeader }
            }
            if STPPUnpacker.unpacks(stream), let mp4, let track {
                lookForImages(in: &description.streams[index], track, mp4, limits)
            }
        }
    }

    /// Makes a track of documents that show nothing but images one of images.
    private static func lookForImages(
        in stream: inout StreamDescription, _ track: MP4Track, _ mp4: MP4File, _ limits: Limits
    ) {
        // To find the first fragment that has a sample may take long; who has images mostly says so.
        let samples = try? mp4.packetReader(
            for: [track.id: stream.index], boxesAtMost: track.namesImages ? .max : boxesAtMost)
        guard let samples else { return }
        let reader = SampleUnpackingReader(samples, [stream])
        var size: PixelSize?
        var hasImages = false
        for _ in 0..<documentsAtMost {
            guard let packet = try? reader.nextPacket(),
                let facts = TTMLSummary(packet.data, limits: limits)
            else { break }
            if facts.hasText { return }
            hasImages = hasImages || facts.hasImages
            size = size ?? facts.size
        }
        guard hasImages else { return }
        stream.kind = .bitmap
        stream.size = size ?? stream.size
    }
}
