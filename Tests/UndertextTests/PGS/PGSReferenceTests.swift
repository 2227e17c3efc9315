import TestSupport
import Testing
import UndertextCore
import UndertextFFmpeg
import UndertextFormats

@testable import Undertext

/// Our decoder against libavcodec's, and against images that another project drew.
@Suite struct PGSReferenceTests {
    /// Tracks in which libavcodec is right: it knows nothing of windows, cropping and Epoch Continue,
    /// and none of that occurs here.
    private static let tracks = [
        ("bdsup2sub/test.sup", 0), ("c0bra5-pgs/sample/sup1.sup", 0),
        ("c0bra5-pgs/sample/sample.mkv", 2), ("c0bra5-pgs/sample/sample.mkv", 3),
        ("libpgs-js/tests/files/test.sup", 0),
        ("subtitleedit/tests/libse/Files/sample_MKV_VobSub_PGS.mkv", 2),
        ("subtitleedit/tests/libse/Files/sample_BDSUP_multi_image.sup", 0),
    ]

    @Test(.requiresCorpus(), arguments: tracks)
    func likeLibavcodec(_ name: String, _ index: Int) throws {
        let path = try #require(corpusPath(name))
        let file = try Media(path)
        let track = try file.subtitleTrack(id: index)
        let stream = track.stream
        #expect(stream.codec == .pgs)
        var ours = PGSDecoder(stream: stream)
        var theirs = try FFmpegBackedDecoder(
            stream: stream, limits: Limits(), diagnostics: DiagnosticSink())
        let reader = try track.packetReader()
        var (found, expected): ([DecodedEvent], [DecodedEvent]) = ([], [])
        while let packet = try reader.nextPacket() {
            found += ours.decode(packet)
            expected += theirs.decode(packet)
        }
        found += ours.finish()
        expected += theirs.finish()
        #expect(!found.isEmpty)
        #expect(ours.diagnostics.take().filter { $0.severity != .info } == [])
        if name.hasSuffix("sample_BDSUP_multi_image.sup") {
            // A part of a longer file. It begins with an END alone, of which libavcodec makes an empty
            // screen, and ends without one, so that libavcodec does not show its last set.
            guard case .clear = expected.removeFirst() else { throw MissingClear() }
            #expect(found.count == expected.count + 1)
            found.removeLast()
        }
        #expect(found.count == expected.count)
        for (our, their) in zip(found, expected) { try compare(our, their, name) }
    }

    private struct MissingClear: Error {}

    /// libavcodec reports times in microseconds.
    private func areEqual(_ one: Timestamp, _ other: Timestamp) -> Bool {
        abs(one.nanoseconds - other.nanoseconds) < 1000
    }

    private func compare(_ our: DecodedEvent, _ their: DecodedEvent, _ name: String) throws {
        switch (our, their) {
        case (.clear(let one), .clear(let other)): #expect(areEqual(one, other), "\(name)")
        case (.cue(let one), .cue(let other)):
            #expect(areEqual(one.start, other.start), "\(name)")
            #expect(one.end == nil && one.end == other.end && one.fallbackEnd == other.fallbackEnd)
            #expect(one.isForced == other.isForced)
            guard case .images(let found) = one.content,
                case .images(let expected) = other.content
            else {
                Issue.record("\(name): no images")
                return
            }
            #expect(found.canvas == expected.canvas, "\(name)")
            try compare(found, expected, "\(name), at \(one.start)")
        default: Issue.record("\(name): \(our) and \(their)")
        }
    }

    private func compare(_ found: CueImages, _ expected: CueImages, _ name: String) throws {
        #expect(found.images.count == expected.images.count, "\(name)")
        for (our, their) in zip(found.images, expected.images) {
            #expect(our.x == their.x && our.y == their.y, "\(name)")
            #expect(
                our.bitmap.width == their.bitmap.width
                    && our.bitmap.height == their.bitmap.height, "\(name)")
            let isEqual = our.bitmap.indices == their.bitmap.indices
            #expect(isEqual, "\(name): indices")
            let used = Set(our.bitmap.indices.map(Int.init))
            for index in used {
                let (one, other) = (our.bitmap.palette[index], their.bitmap.palette[index])
                #expect(one.alpha == other.alpha, "\(name): alpha of \(index)")
                let parts = [
                    (one.red, other.red), (one.green, other.green), (one.blue, other.blue),
                ]
                #expect(
                    parts.allSatisfy { abs(Int($0.0) - Int($0.1)) <= 2 }, "\(name): color \(index)"
                )
            }
        }
    }

    /// Frames that libpgs-js draws: the first image, the empty screen after it, the second image.
    @Test(.requiresCorpus("libpgs-js/tests/files/test.sup"))
    func likeAnotherProjectsImages() throws {
        let path = try #require(corpusPath("libpgs-js/tests/files/test.sup"))
        let cues = try Media(path).subtitleTrack(id: 0).document().cues
        #expect(cues.count == 2)
        let size = PixelSize(width: 128, height: 64)
        for (number, shown) in [[cues[0]], [], [cues[1]]].enumerated() {
            let frame = try #require(
                corpusPath("libpgs-js/tests/files/test-\(number).rgba").flatMap(fileBytes))
            let difference = difference(between: plane(of: shown, size), and: frame, colors: 24)
            #expect(difference == nil, "frame \(number)")
        }
    }
}
