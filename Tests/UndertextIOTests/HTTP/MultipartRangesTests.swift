import TestSupport
import Testing
import UndertextCore

@testable import UndertextIO

@Suite struct MultipartRangesTests {
    private let file = (0..<200).map { UInt8($0) }

    private func body(_ ranges: [Range<Int>], total: String = "200") -> [UInt8] {
        var body = Array("preamble".utf8)
        for range in ranges {
            body += "\r\n--xyz\r\nContent-Type: video/webm\r\n".utf8
            body += "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)".utf8
            body += "\r\n\r\n".utf8
            body += file[range]
        }
        return body + "\r\n--xyz--\r\n".utf8
    }

    @Test func partsAreFound() {
        let parts = MultipartRanges(body([3..<10, 50..<51, 100..<200]), boundary: "xyz", size: 200)
        #expect(parts.parts.map(\.offset) == [3, 50, 100])
        #expect(parts.bytes(of: ByteRange(offset: 3, count: 7)) == Array(file[3..<10]))
        // A server may join ranges.
        #expect(parts.bytes(of: ByteRange(offset: 120, count: 5)) == Array(file[120..<125]))
        #expect(parts.bytes(of: ByteRange(offset: 49, count: 2)) == nil)
    }

    @Test func anotherFileIsNotTaken() {
        let parts = MultipartRanges(body([3..<10], total: "201"), boundary: "xyz", size: 200)
        #expect(parts.parts.isEmpty)
        #expect(
            !MultipartRanges(body([3..<10], total: "*"), boundary: "xyz", size: 200).parts.isEmpty)
    }

    @Test func boundariesAreRead() {
        #expect(MultipartRanges.boundary(in: "multipart/byteranges; boundary=000123") == "000123")
        #expect(
            MultipartRanges.boundary(in: "Multipart/ByteRanges; x=y; boundary=\"a b\"") == "a b")
        #expect(MultipartRanges.boundary(in: "video/webm") == nil)
        #expect(MultipartRanges.boundary(in: "multipart/byteranges; boundary=") == nil)
    }

    @Test func truncatedEntriesAreDropped() {
        let good = body([3..<10, 50..<60, 100..<200])
        for cut in truncations(of: good) {
            for part in MultipartRanges(cut, boundary: "xyz", size: 200).parts {
                let start = Int(part.offset)
                #expect(Array(part.bytes) == Array(file[start..<start + part.bytes.count]))
            }
        }
        for damaged in bitFlips(of: good, count: 3000) {
            #expect(MultipartRanges(damaged, boundary: "xyz", size: 200).parts.count <= 3)
        }
    }
}
