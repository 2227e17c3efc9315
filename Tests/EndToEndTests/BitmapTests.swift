import TestSupport
import Testing
import Undertext
import UndertextCore

/// Our images compared with ffmpeg's of the same tracks, pixel by pixel.
///
/// ffmpeg converts a subtitle stream to full frames; ours are composed from the cues of the time. Alpha is
/// equal and colors nearly: ffmpeg converts Y, Cb and Cr with fewer bits than we do. Transparent pixels have no
/// color.
@Suite(.serialized, .requires("ffmpeg")) struct BitmapTests {
    @Test(arguments: [
        // ffmpeg does not crop: it shows all of the sixth image, of which the upper half is meant.
        ("containers/movie.mkv", 7, 6), ("containers/movie.mkv", 8, nil),
        ("containers/movie.ts", 2, nil),
    ])
    func fixtures(_ name: String, _ stream: Int, _ cropped: Int?) throws {
        try compare(fixture(name), stream, cropped: cropped)
    }

    @Test(.requiresCorpus()) func independentFiles() throws {
        let files = [
            ("bdsup2sub/test.sup", 0), ("c0bra5-pgs/sample/sample.mkv", 2),
            ("c0bra5-pgs/sample/sample.mkv", 3), ("libpgs-js/tests/files/test.sup", 0),
            ("androidx-media/mkv/sample_with_vobsub.mkv", 2),
            ("androidx-media/mp4/sample_with_vobsub.mp4", 2),
            ("subtitleedit/tests/libse/Files/sample_MKV_VobSub_PGS.mkv", 1),
            ("subtitleedit/tests/libse/Files/sample_MKV_VobSub_PGS.mkv", 2),
            ("subtitleedit/tests/libse/Files/sample_BDSUP_multi_image.sup", 0),
            ("subtitles-rs/fixtures/example.idx", 0), ("subtitles-rs/fixtures/tiny.idx", 0),
        ]
        for (name, stream) in files {
            let path = try #require(corpusPath(name))
            try compare(path, stream)
        }
    }

    /// ffmpeg decodes what we write to the images that we read from it.
    @Test(arguments: [7, 8]) func filesThatWeWrite(_ stream: Int) throws {
        let folder = TemporaryDirectory()
        let images = folder / "images.png"
        let first = Command.undertext(
            "convert", "-q", "--tracks", "\(stream)", fixture("containers/movie.mkv"), images)
        #expect(first.status == 0, "\(first.stderr)")
        for output in ["written.sup", "written.idx"] {
            let result = Command.undertext("convert", "-q", images, folder / output)
            #expect(result.status == 0, "\(result.stderr)")
            try compare(folder / output, 0)
        }
    }

    private func compare(_ path: String, _ stream: Int, cropped: Int? = nil) throws {
        let cues = try Media(path).subtitleTrack(id: stream).document().cues
        let frames = try frames(of: path, stream, canvas: canvas(of: cues))
        #expect(!frames.isEmpty && !cues.isEmpty, "\(path)")
        let timeline = CueTimeline(cues)
        var ours: [[UInt8]] = []
        var time = Timestamp(nanoseconds: -1)
        while let next = timeline.nextChange(after: time) {
            time = next
            let shown = timeline.cues(at: time)
            guard !shown.isEmpty, let size = frames.first?.size else { continue }
            let frame = composed(shown, size)
            if frame != ours.last { ours.append(frame) }
        }
        if path.hasSuffix("sample_BDSUP_multi_image.sup") {
            // Its last display set has no END, and ffmpeg does not show it.
            #expect(ours.count == frames.count + 1)
            ours.removeLast()
        }
        #expect(ours.count == frames.count, "\(path), stream \(stream)")
        for (index, (our, their)) in zip(ours, frames).enumerated() {
            let isCropped = index + 1 == cropped
            let place = difference(our, their.pixels, cropped: isCropped)
            #expect(place == nil, "\(path), stream \(stream), image \(index + 1)")
            if isCropped { #expect(our != their.pixels) }
        }
    }

    /// The index of the first different pixel; with `cropped`, ours may be transparent.
    private func difference(_ our: [UInt8], _ their: [UInt8], cropped: Bool) -> Int? {
        guard our.count == their.count else { return 0 }
        return stride(from: 0, to: our.count, by: 4).first { place in
            let alpha = our[place + 3]
            if alpha == 0, cropped || their[place + 3] == 0 { return false }
            return alpha != their[place + 3]
                || (place..<place + 3).contains { abs(Int(our[$0]) - Int(their[$0])) > 2 }
        }
    }

    private func canvas(of cues: [Cue]) -> PixelSize? {
        guard case .images(let content) = cues.first?.content else { return nil }
        return content.canvas
    }

    private func composed(_ cues: [Cue], _ size: PixelSize) -> [UInt8] {
        var frame = [UInt8](repeating: 0, count: size.width * size.height * 4)
        for cue in cues {
            guard case .images(let content) = cue.content else { continue }
            for image in content.images {
                let row = image.bitmap.width * 4
                let pixels = image.bitmap.rgba
                for y in 0..<image.bitmap.height where image.y + y < size.height {
                    let target = ((image.y + y) * size.width + image.x) * 4
                    frame.replaceSubrange(
                        target..<target + row, with: pixels[y * row..<(y + 1) * row])
                }
            }
        }
        return frame
    }

    private struct Frame: Equatable {
        var size: PixelSize
        var pixels: [UInt8]
    }

    /// The frames that ffmpeg draws, without blank ones and without repetitions.
    private func frames(
        of path: String, _ stream: Int, canvas: PixelSize?
    ) throws -> [Frame] {
        let folder = TemporaryDirectory()
        // Without its canvas ffmpeg would scale the images to the video.
        let size = canvas.map { ["-canvas_size", "\($0.width)x\($0.height)"] } ?? []
        let result = run(
            "ffmpeg",
            ["-nostdin", "-v", "fatal"] + size + [
                "-i", path, "-filter_complex",
                "[0:\(stream)]format=rgba[v]", "-map", "[v]", "-fps_mode", "passthrough", "-c:v",
                "pam", "-f", "image2pipe", folder.path + "/frames",
            ])
        #expect(result.status == 0, "\(result.stderr)")
        var rest = try #require(fileBytes(folder.path + "/frames"))[...]
        var frames: [Frame] = []
        while let frame = next(&rest) {
            let blank = [UInt8](repeating: 0, count: frame.pixels.count)
            guard frame.pixels != blank, frame != frames.last else { continue }
            frames.append(frame)
        }
        return frames
    }

    /// The next image of a sequence in the PAM format.
    private func next(_ bytes: inout ArraySlice<UInt8>) -> Frame? {
        guard let end = bytes.firstRange(of: Array("ENDHDR\n".utf8))?.upperBound else { return nil }
        let header = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\n")
        func value(_ key: String) -> Int? {
            header.first { $0.hasPrefix(key) }.flatMap { Int($0.dropFirst(key.count)) }
        }
        guard let width = value("WIDTH "), let height = value("HEIGHT "),
            bytes.endIndex - end >= width * height * 4
        else { return nil }
        let pixels = Array(bytes[end..<end + width * height * 4])
        bytes = bytes[(end + width * height * 4)...]
        return Frame(size: PixelSize(width: width, height: height), pixels: pixels)
    }
}
