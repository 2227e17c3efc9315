import Testing
import UndertextDeflate

/// "Undertext Undertext Undertext\n", deflated at level 9.
private let packed: [UInt8] = [
    0x78, 0xDA, 0x0B, 0xCD, 0x4B, 0x49, 0x2D, 0x2A, 0x49, 0xAD, 0x28, 0x51, 0x08, 0xC5, 0x64, 0x71,
    0x01, 0x00, 0xB6, 0xB7, 0x0B, 0x94,
]
private let plain = Array("Undertext Undertext Undertext\n".utf8)

/// The stored form of `bytes` (RFC 1951, section 3.2.4) in a zlib wrapper: no compressor needed.
private func stored(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = [0x78, 0x01]
    var start = 0
    repeat {
        let count = min(65535, bytes.count - start)
        let isLast = start + count == bytes.count
        out += [isLast ? 1 : 0, UInt8(count & 255), UInt8(count >> 8)]
        out += [UInt8(~count & 255), UInt8((~count >> 8) & 255)]
        out += bytes[start..<start + count]
        start += count
    } while start < bytes.count
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
        low = (low + UInt32(byte)) % 65521
        high = (high + low) % 65521
    }
    let sum = high << 16 | low
    return out + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
}

@Suite struct InflateTests {
    @Test func inflatesAStream() throws {
        #expect(try inflate(packed, limit: 100) == plain)
        #expect(try inflate(packed + [1, 2, 3], limit: 100) == plain)
        #expect(try inflate(stored([]), limit: 0) == [])
    }

    @Test func takesASliceThatDoesNotStartAtZero() throws {
        let shifted = [9, 9, 9] + packed
        #expect(try inflate(shifted[3...], limit: 100) == plain)
    }

    @Test func growsOverManySteps() throws {
        let big = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        #expect(try inflate(stored(big), limit: big.count) == big)
    }

    @Test func keepsTheLimit() throws {
        #expect(try inflate(packed, limit: plain.count) == plain)
        for limit in 0..<plain.count {
            #expect(throws: InflateError.limit) { try inflate(packed, limit: limit) }
        }
        #expect(throws: InflateError.limit) { try inflate(packed, limit: -1) }
        #expect(try inflate(packed, limit: .max) == plain)
    }

    @Test func reportsTruncationAtEveryOffset() {
        for count in packed.indices {
            #expect(throws: InflateError.malformed) {
                try inflate(packed[..<count], limit: 1000)
            }
        }
    }

    @Test func everyBitFlipIsNoticedOrHarmless() {
        for position in packed.indices {
            for bit in 0..<8 {
                var damaged = packed
                damaged[position] ^= 1 << UInt8(bit)
                let result = try? inflate(damaged, limit: 1000)
                #expect(result == nil || result == plain)
            }
        }
    }

    @Test func refusesWhatIsNoStream() {
        #expect(throws: InflateError.malformed) {
            try inflate(Array("not a zlib stream".utf8), limit: 100)
        }
        #expect(throws: InflateError.malformed) { try inflate([], limit: 100) }
    }
}

@Suite struct CompressTests {
    @Test(arguments: [0, 1, 6, 12]) func compressedBytesAreRestored(_ level: Int) throws {
        for count in [0, 1, 100, 70_000] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 5) }
            let stream = try #require(compress(bytes, level: level))
            #expect(try inflate(stream, limit: 1 << 20) == bytes)
        }
    }

    @Test func checksumsAreThoseOfTheStandard() {
        // The check value of CRC-32, and the four bytes that end every PNG.
        #expect(crc32(Array("123456789".utf8)[...]) == 0xCBF4_3926)
        #expect(crc32(Array("IEND".utf8)[...]) == 0xAE42_6082)
        #expect(
            crc32(Array("6789".utf8)[...], after: crc32(Array("12345".utf8)[...])) == 0xCBF4_3926)
    }
}

/// Streams without a frame, and gzip files.
@Suite struct FrameTests {
    /// RFC 1951 alone: the bytes between the two before and the four after.
    private let raw = Array(packed[2..<packed.count - 4])

    @Test func inflatesRawStreams() throws {
        #expect(try inflateRaw(raw[...], limit: 100) == plain)
        #expect(try inflateRaw((raw + [9, 9])[...], limit: plain.count) == plain)
        #expect(throws: InflateError.limit) { try inflateRaw(raw[...], limit: 10) }
        for count in raw.indices {
            #expect(throws: InflateError.malformed) { try inflateRaw(raw[..<count], limit: 100) }
        }
    }

    @Test func inflatesGzipFiles() throws {
        var file: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + raw
        let sum = crc32(plain[...])
        file += (0..<4).map { UInt8(truncatingIfNeeded: sum >> UInt32(8 * $0)) }
        file += [UInt8(plain.count), 0, 0, 0]
        #expect(try gunzip(file[...], limit: 100) == plain)
        #expect(throws: InflateError.limit) { try gunzip(file[...], limit: 10) }
        for count in file.indices {
            #expect(throws: InflateError.malformed) { try gunzip(file[..<count], limit: 100) }
        }
        file[file.count - 5] ^= 1
        #expect(throws: InflateError.malformed) { try gunzip(file[...], limit: 100) }
    }
}
