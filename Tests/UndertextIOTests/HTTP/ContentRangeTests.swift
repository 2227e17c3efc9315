import TestSupport
import Testing
import UndertextCore

@testable import UndertextIO

/// Headers of strangers: RFC 9110, section 14.4.
@Suite struct ContentRangeTests {
    @Test(
        arguments: [
            ("bytes 0-99/1234", 0, 99, 1234), ("Bytes  5-5/6", nil, nil, nil),
            ("bytes 0-0/*", 0, 0, nil), (" bytes 7-8/9 ", 7, 8, 9),
        ] as [(String, UInt64?, UInt64?, UInt64?)])
    func reads(_ text: String, _ first: UInt64?, _ last: UInt64?, _ total: UInt64?) {
        let range = ContentRange(text)
        #expect(range?.bytes?.lowerBound == first)
        #expect(range?.bytes?.upperBound == last)
        #expect(range?.total == total)
    }

    @Test func readsTheLengthOfARefusal() {
        #expect(ContentRange("bytes */1234")?.total == 1234)
        #expect(ContentRange("bytes */1234")?.bytes == nil)
    }

    @Test(arguments: [
        "", "bytes", "bytes ", "bytes 0-99", "bytes 9-0/10", "bytes 0-10/10", "bytes -1-2/3",
        "bytes 0-99/12/34", "items 0-99/100", "bytes 0-99/x", "bytes a-b/*", "bytes 0-/*",
        "bytes 0-18446744073709551615/*", "bytes 0-99/18446744073709551616", "bytes 1+2-3/9",
    ])
    func refuses(_ text: String) {
        #expect(ContentRange(text) == nil)
    }

    @Test func damageIsNoTrap() {
        for text in ["bytes 18446744073709551610-18446744073709551614/*", "bytes 0-99/1234"] {
            for damaged in bitFlips(of: Array(text.utf8), count: 5000) {
                guard let range = ContentRange(String(decoding: damaged, as: UTF8.self)),
                    let bytes = range.bytes
                else { continue }
                #expect(range.total.map { bytes.upperBound < $0 } ?? true)
            }
            for part in truncations(of: Array(text.utf8)) {
                _ = ContentRange(String(decoding: part, as: UTF8.self))
            }
        }
    }
}

@Suite struct PrivateAddressTests {
    @Test(
        arguments: [
            [127, 0, 0, 1], [10, 1, 2, 3], [172, 16, 0, 1], [172, 31, 255, 255], [192, 168, 0, 1],
            [169, 254, 169, 254], [0, 0, 0, 0], [100, 64, 0, 1], [224, 0, 0, 1],
            [255, 255, 255, 255], [198, 18, 0, 1], [],
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 127, 0, 0, 1],
            [0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
            [0xFC, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
            [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0, 10, 0, 0, 1],
            [0x20, 0x02, 192, 168, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1],
        ] as [[UInt8]])
    func knowsPrivateOnes(_ bytes: [UInt8]) {
        #expect(PrivateAddress.contains(bytes))
    }

    @Test(
        arguments: [
            [8, 8, 8, 8], [172, 15, 0, 1], [172, 32, 0, 1], [192, 167, 0, 1], [100, 63, 0, 1],
            [0x20, 0x01, 0x48, 0x60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x88, 0x88],
            [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 8, 8, 8, 8],
            [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0, 8, 8, 8, 8],
        ] as [[UInt8]])
    func knowsPublicOnes(_ bytes: [UInt8]) {
        #expect(!PrivateAddress.contains(bytes))
    }
}
