import TestSupport
import Testing
import Undertext
import UndertextCore
import UndertextFFmpeg
import UndertextFormats

/// Compares our decoder of sub-pictures with libavcodec's, on tracks that libavcodec decodes correctly.
@Suite struct DVDReferenceTests {
    private static let tracks: [(path: String, stream: Int)] = [
        ("androidx-media/mkv/sample_with_vobsub.mkv", 2),
        ("androidx-media/mp4/sample_with_vobsub.mp4", 2),
        ("subtitleedit/tests/libse/Files/sample_MKV_VobSub_PGS.mkv", 1),
        ("subtitles-rs/fixtures/example.idx", 0),
        ("subtitles-rs/fixtures/tiny.idx", 0),
        ("subtitles-rs/fixtures/tiny-split.idx", 0),
    ]

    @Test(.requiresCorpus(), arguments: tracks)
    func equalsLibavcodec(_ path: String, _ stream: Int) throws {
        let path = try #require(corpusPath(path))
        #expect(try compare(path, stream) > 0)
    }

    /// Without fades and CHG_COLCON, which libavcodec leaves out, and without units between whose
    /// packs lie those of another language: libavformat cuts them off there.
    @Test func equalsLibavcodecOnFixtures() throws {
        #expect(try compare(fixture("subtitles/vobsub.idx"), 0) == 7)
        #expect(try compare(fixture("containers/movie.mkv"), 8) == 7)
        for name in ["stop", "forced", "run-lengths", "height-5", "one-field", "crop"] {
            #expect(try compare(fixture("bitmap/dvd/\(name)/stream.idx"), 0) > 0)
        }
    }

    /// The packets that libavformat and our readers find, decoded by both.
    private func compare(_ path: String, _ index: Int) throws -> Int {
        let file = try Media(path)
        let track = try file.subtitleTrack(id: index)
        let stream = track.stream
        let reference = try FFmpegSubtitleDecoder(stream)
        var ours = try #require(
            SubtitleFormat.decoder(of: stream, diagnostics: DiagnosticSink()))
        let reader = try track.packetReader()
        let demuxer = try FFmpegDemuxer(.path(path))
        demuxer.select([index])
        var count = 0
        while let packet = try reader.nextPacket() {
            let same = try #require(try demuxer.nextPacket())
            #expect(same.data == packet.data, "\(path)")
            #expect(same.start == packet.start, "\(path)")
            let theirs = try reference.decode(packet)
            let images = theirs.flatMap(\.images)
            let drafts = ours.decode(packet).compactMap { event -> DecodedCue? in
                guard case .cue(let draft) = event else { return nil }
                return draft
            }
            try #require(drafts.count == images.count, "\(path)")
            for (draft, image) in zip(drafts, images) {
                guard case .images(let content) = draft.content else {
                    Issue.record("\(path): a cue without images")
                    continue
                }
                let placed = try #require(content.images.first, "\(path): no image")
                #expect(content.images.count == 1, "\(path)")
                equal(placed, image, path)
                #expect(draft.isForced == image.isForced)
                count += 1
            }
            // libavcodec cuts times to milliseconds.
            for (draft, event) in zip(drafts, theirs) {
                guard let offset = event.endOffset, let end = draft.end, let base = packet.start
                else { continue }
                let length = base.duration(to: end.time) / .milliseconds(1)
                #expect(abs(length - Double(offset)) < 1, "\(path)")
                // libavcodec uses the packet's duration as the unit's own end; ours reports the difference.
                #expect((end.source == .explicit) == (SubPictureUnit(packet.data)?.hasStop == true))
            }
        }
        #expect(try demuxer.nextPacket() == nil)
        return count
    }

    /// Pixels by their colors where they show something: what libavcodec leaves uncropped is cut.
    private func equal(
        _ ours: PlacedBitmap, _ theirs: DecodedSubtitle.Image, _ path: String
    ) {
        let left = ours.x - theirs.x
        let top = ours.y - theirs.y
        guard left >= 0, top >= 0, left + ours.bitmap.width <= theirs.width,
            top + ours.bitmap.height <= theirs.height
        else {
            Issue.record("\(path): \(ours.x),\(ours.y) against \(theirs.x),\(theirs.y)")
            return
        }
        // Forced images are left uncropped by libavcodec.
        if !theirs.isForced {
            #expect(ours.bitmap.width == theirs.width && ours.bitmap.height == theirs.height)
        }
        var differences = 0
        for row in 0..<theirs.height {
            for column in 0..<theirs.width {
                let index = theirs.indices[row * theirs.width + column]
                let inside =
                    (left..<left + ours.bitmap.width).contains(column)
                    && (top..<top + ours.bitmap.height).contains(row)
                let color = RGBA(rawValue: theirs.palette[Int(index)])
                guard inside else {
                    if color.alpha > 0 { differences += 1 }
                    continue
                }
                let own = ours.bitmap.indices[
                    (row - top) * ours.bitmap.width + column - left]
                let shown = ours.bitmap.palette[Int(own)]
                if own != index || shown.alpha != color.alpha
                    || shown.alpha > 0 && shown != color
                {
                    differences += 1
                }
            }
        }
        #expect(differences == 0, "\(path)")
    }
}
