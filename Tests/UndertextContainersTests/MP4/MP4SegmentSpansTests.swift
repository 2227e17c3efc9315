import TestSupport
import Testing
import UndertextContainers
import UndertextCore

@Suite struct MP4SegmentSpansTests {
    /// A header and a segment of a track of images, in ticks of 1/1000 s.
    private func parts(
        _ fragments: [(time: Int, samples: [MP4Builder.Sample])],
        edits: [(length: UInt32, time: Int32)] = []
    ) -> (header: [UInt8], segment: [UInt8]) {
        var builder = MP4Builder("avc1")
        builder.handler = "vide"
        builder.edits = edits
        let file = builder.fragmented(fragments)
        let place = file.firstRange(of: Array("moof".utf8))?.lowerBound ?? 4
        return (Array(file[..<(place - 4)]), Array(file[(place - 4)...]))
    }

    private func span(
        _ parts: (header: [UInt8], segment: [UInt8])
    ) throws -> Range<Timestamp>? {
        try MP4SegmentSpans(initialization: parts.header).span(of: MemorySource(parts.segment))
    }

    @Test func samplesStateTheSpan() throws {
        // Decoded as I P B B, shown as I B B P.
        let group: [MP4Builder.Sample] = [
            .init([1], 40, offset: 40), .init([2], 40, offset: 120), .init([3], 40),
            .init([4], 40),
        ]
        let one = parts([(1000, group)])
        #expect(try span(one) == .milliseconds(1040)..<(.milliseconds(1200)))
        let two = parts([(1000, group), (5000, [.init([1], 500)])])
        #expect(try span(two) == .milliseconds(1040)..<(.milliseconds(5500)))
        // Edits are in ticks of 1/600 s and of the media.
        let late = parts([(1000, group)], edits: [(300, -1), (0, 0)])
        #expect(try span(late) == .milliseconds(1540)..<(.milliseconds(1700)))
    }

    @Test func nothingIsNoSpan() throws {
        let (header, segment) = parts([(0, [.init([1], 40)])])
        #expect(try span((header, [])) == nil)
        #expect(try span((header, Array(segment[..<20]))) == nil)
        #expect(throws: UndertextError.self) { try span(([], segment)) }
    }

    @Test func damageDoesNotTrap() throws {
        let (header, segment) = parts([(1000, [.init([1], 40, offset: -5), .init([2], 40)])])
        let spans = try MP4SegmentSpans(initialization: header)
        for index in segment.indices {
            _ = try? spans.span(of: MemorySource(Array(segment[..<index])))
            for mask: UInt8 in [0x01, 0x81, 0xFF] {
                var damaged = segment
                damaged[index] ^= mask
                _ = try? spans.span(of: MemorySource(damaged))
            }
        }
        for index in header.indices {
            var damaged = header
            damaged[index] ^= 0x81
            _ = try? span((damaged, segment))
        }
    }
}
