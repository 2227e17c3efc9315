import TestSupport
import Testing
import UndertextCore

@testable import UndertextContainers

/// The headers of codecs, as encoders write them; the values are those that ffprobe prints.
@Suite struct CodecHeaderTests {
    @Test func aac() {
        let stereo = AudioSpecificConfig([0x11, 0x90, 0x56, 0xE5, 0x00])
        #expect(stereo?.sampleRate == 48_000)
        #expect(stereo?.properties(firstFrame: [0x21, 0x10])?.layout == "stereo")
        // A fill element that names the encoder precedes the pair of channels.
        let named: ArraySlice<UInt8> = [0xC8, 0x00, 0x00, 0x00, 0x00, 0x40]
        #expect(stereo?.properties(firstFrame: named) != nil)
        // Another number of channels than the header states.
        #expect(stereo?.properties(firstFrame: [0x01, 0x20]) == nil)
        #expect(AudioSpecificConfig([0x15, 0x88, 0x56, 0xE5, 0x00])?.sampleRate == 8000)
        // Low rates without a word on spectral band replication, with it, and HE-AAC.
        #expect(AudioSpecificConfig([0x13, 0x10]) == nil)
        #expect(AudioSpecificConfig([0x13, 0x10, 0x56, 0xE5, 0x98]) == nil)
        #expect(AudioSpecificConfig([0x2B, 0x11, 0x88, 0x00]) == nil)
    }

    @Test func ac3() {
        let frame: [UInt8] = [0x0B, 0x77, 0, 0, 0x1E, 0x40, 0xE1]
        let found = AC3Header.properties(frame[...], size: 1792)
        #expect(found?.layout == "5.1(side)")
        #expect(found?.bitRate == 448_000)
        // More than one frame.
        #expect(AC3Header.properties(frame[...], size: 3584) == nil)
        let enhanced: [UInt8] = [0x0B, 0x77, 0x01, 0x7F, 0x34, 0x86]
        #expect(AC3Header.enhancedProperties(enhanced[...], size: 768)?.bitRate == 192_000)
        #expect(AC3Header.enhancedProperties(enhanced[...], size: 768)?.layout == "stereo")
        #expect(
            AC3Header.enhancedProperties([0x0B, 0x77, 0x41, 0x7F, 0x34, 0x86], size: 768) == nil)
    }

    @Test func videoSizes() {
        let avc: [UInt8] = [
            0x01, 0x64, 0x00, 0x15, 0xFF, 0xE1, 0x00, 0x1B, 0x67, 0x64, 0x00, 0x15, 0xAC, 0x72,
            0x04,
            0x41, 0x41, 0x9F, 0x9F, 0x01, 0x10, 0x00, 0x00, 0x03, 0x00, 0x10, 0x00, 0x00, 0x03,
            0x00,
            0xA0, 0xF1, 0x62, 0xD8, 0x46, 0x01, 0x00, 0x07, 0x68, 0xE8, 0x43, 0x86, 0x4B, 0x22,
            0xC0,
            0xFD, 0xF8, 0xF8, 0x00,
        ]
        let header = H264Configuration(avc)
        #expect(header?.size == PixelSize(width: 320, height: 180))
        #expect(header?.reorderedFrames == 2)
        #expect(H264Configuration(Array(avc.prefix(20))) == nil)
        #expect(header?.agrees(withFirst: [0, 0, 0, 2, 0x65, 0x88]) == true)
        #expect(header?.agrees(withFirst: [0, 0, 0, 2, 0x67, 0x64]) == false)
    }

    @Test func images() throws {
        let png = try fixtureBytes("subtitles/cover.png")
        #expect(
            ImageHeader.png(png.prefix(600), total: png.count) == PixelSize(width: 240, height: 84))
        #expect(ImageHeader.png(png.prefix(32), total: png.count) == nil)
        var damaged = png
        damaged[24] ^= 4
        #expect(ImageHeader.png(damaged[...], total: png.count) == nil)
        let jpeg: [UInt8] = [
            0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xC0, 0, 17, 8, 0, 64, 0, 96, 3, 1, 0x22, 0,
            2,
            0x11, 1, 3, 0x11, 1,
        ]
        #expect(ImageHeader.jpeg(jpeg[...]) == PixelSize(width: 96, height: 64))
        #expect(ImageHeader.jpeg(jpeg.prefix(26)) == nil)
    }

    /// The frame rates that ffprobe prints for durations in nanoseconds.
    @Test(
        arguments: [
            (40_000_000, 25, 1), (41_708_333, 24_000, 1001), (33_366_667, 30_000, 1001),
            (16_683_333, 19_001, 317), (41_701_418, 1199, 50), (200_000_000, 5, 1),
        ] as [(UInt64, Int32, Int32)])
    func frameRate(_ nanoseconds: UInt64, _ numerator: Int32, _ denominator: Int32) {
        #expect(
            TimeBase(reportedRatePerNanoseconds: nanoseconds) == TimeBase(numerator, denominator))
        #expect(TimeBase(reportedRatePerNanoseconds: 0) == nil)
    }

    /// No bytes stop a parser.
    @Test func noise() {
        var generator = SeededGenerator(seed: 7)
        for round in 0..<20_000 {
            let count = Int.random(in: 0...60, using: &generator)
            var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let heads: [[UInt8]] = [
                [], [0x0B, 0x77], [0x7F, 0xFE, 0x80, 0x01], Array("fLaC".utf8),
                Array("OpusHead".utf8) + [1], [2, 30],
                [1, 0x64, 0, 31, 0xFF, 0xE1, 0, 24, 0x67, 0x64],
                [0xFF, 0xD8, 0xFF],
            ]
            bytes = heads[round % heads.count] + bytes
            _ = AC3Header.properties(bytes[...], size: bytes.count)
            _ = AC3Header.enhancedProperties(bytes[...], size: bytes.count)
            _ = DTSHeader.properties(bytes[...], size: bytes.count)
            _ = (XiphHeaders.flac(bytes), XiphHeaders.opus(bytes), XiphHeaders.vorbis(bytes))
            _ = AudioSpecificConfig(bytes)?.properties(firstFrame: bytes[...])
            _ = (H264Configuration(bytes)?.agrees(withFirst: bytes[...]), HEVCConfiguration(bytes))
            _ = (H264SequenceParameters(bytes[...]), HEVCSequenceParameters(bytes[...]))
            _ = (ImageHeader.png(bytes[...], total: bytes.count), ImageHeader.jpeg(bytes[...]))
        }
    }
}
