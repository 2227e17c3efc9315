import TestSupport
import Testing
import UndertextCore
import UndertextFormats

private func sizes(_ values: Int...) -> [SideData] {
    var bytes: [UInt8] = []
    for value in values { bytes.appendBigEndian(UInt32(value)) }
    return [SideData(.subsampleSizes, bytes)]
}

@Suite struct STPPTests {
    @Test func imagesComeAsFiles() {
        var unpacker = STPPUnpacker()
        let found = unpacker.add(packet("<tt/>abcde", sideData: sizes(5, 3, 2)))
        #expect(found.map(\.data) == [Array("<tt/>".utf8)])
        #expect(
            found.first?.sideData == [
                LinkedFile.sideData(
                    name: "urn:mpeg:14496-30:subs:1", bytes: Array("abc".utf8)),
                LinkedFile.sideData(
                    name: "urn:mpeg:14496-30:subs:2", bytes: Array("de".utf8)),
            ])
        #expect(unpacker.finish().isEmpty && unpacker.diagnostics.take().isEmpty)
    }

    @Test func partsThatAreNotThere() {
        var unpacker = STPPUnpacker()
        #expect(unpacker.add(packet("<tt/>", sideData: sizes(9))).first?.data.count == 5)
        #expect(unpacker.add(packet("<tt/>ab", sideData: sizes(5, 9))).first?.data.count == 5)
        #expect(unpacker.diagnostics.take().map(\.code) == ["damaged-sample", "damaged-sample"])
    }

    @Test func withoutLengths() {
        var unpacker = STPPUnpacker()
        func sample(_ pts: Int64, _ duration: Int64?) -> Packet {
            packet(Array("<tt/>".utf8), pts: pts, duration: duration)
        }
        #expect(unpacker.add(sample(0, nil)).isEmpty)
        #expect(unpacker.add(sample(500, nil)).map(\.duration) == [500])
        #expect(unpacker.add(sample(700, 10)).map(\.duration) == [200, 10])
        #expect(unpacker.add(sample(900, 0)).isEmpty)
        #expect(unpacker.add(sample(900, nil)).map(\.duration) == [0])
        #expect(unpacker.finish().map(\.pts) == [900])
    }
}
