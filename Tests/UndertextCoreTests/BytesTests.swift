import TestSupport
import Testing
import UndertextCore

@Test func readerReadsBothByteOrders() {
    var reader = ByteReader([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18][...])
    #expect(reader.peek() == 1)
    #expect(reader.uint8() == 1)
    #expect(reader.uint16() == 0x0203)
    #expect(reader.uint24() == 0x040506)
    #expect(reader.uint16LittleEndian() == 0x0807)
    #expect(reader.uint32LittleEndian() == 0x0C0B_0A09)
    #expect(reader.uint32() == 0x0D0E_0F10)
    #expect(reader.offset == 16)
    #expect(reader.rest() == [17, 18])
    #expect(reader.isAtEnd)
}

@Test func readerRefusesToLeaveItsBytes() {
    // A slice whose indices do not start at 0.
    var reader = ByteReader([9, 9, 1, 2, 3][2...])
    #expect(reader.uint32() == nil)
    #expect(reader.offset == 0)
    #expect(reader.slice(4) == nil)
    #expect(reader.slice(-1) == nil)
    #expect(reader.skip(4) == false)
    #expect(reader.skip(-1) == false)
    #expect(reader.seek(to: 4) == false)
    #expect(reader.seek(to: -1) == false)
    #expect(reader.unsigned(9) == nil)
    #expect(reader.unsigned(0) == 0)
    #expect(reader.seek(to: 1) == true)
    #expect(reader.slice(2) == [2, 3])
    #expect(reader.uint8() == nil)
    #expect(reader.peek() == nil)
    #expect(reader.seek(to: 0) == true)
    #expect(reader.unsigned(3) == 0x010203)
}

@Test func bigEndianRoundTrip() {
    var bytes: [UInt8] = []
    bytes.appendBigEndian(UInt64(0x0102_0304_0506_0708))
    bytes.appendBigEndian(Int16(-2))
    bytes.appendBigEndian(UInt8(7))
    var reader = ByteReader(bytes)
    #expect(reader.uint64() == 0x0102_0304_0506_0708)
    #expect(reader.uint16() == 0xFFFE)
    #expect(reader.uint8() == 7)
}

@Test func memorySourceIsShortOnlyAtItsEnd() throws {
    let source = MemorySource([0, 1, 2, 3, 4])
    #expect(try source.read(at: 1, count: 3) == [1, 2, 3])
    #expect(try source.read(at: 3, count: 9) == [3, 4])
    #expect(try source.read(at: 5, count: 1) == [])
    #expect(try source.read(at: .max, count: .max) == [])
    #expect(try source.read(at: 0, count: -1) == [])
    #expect(source.statistics == ReadStatistics(bytesRead: UInt64(Int.max) + 13, requests: 5))
}

@Test func errorsSayWhatAndWhere() {
    let error = UndertextError(
        .malformed, "bad index", path: "a.mkv", streamIndex: 2, byteOffset: 17, underlying: "x")
    #expect(error.description == "a.mkv: bad index, stream 2, at byte 17 (x)")
    #expect(UndertextError(.io, "lost").description == "lost")
}

@Test func packetSideData() {
    let packet = Packet(
        streamIndex: 0, pts: 0, timeBase: .milliseconds, data: [],
        sideData: [SideData(.webVTTSettings, [1]), SideData(.webVTTSettings, [2])])
    #expect(packet.sideData(.webVTTSettings) == [1])
    #expect(packet.sideData(.palette) == nil)
}
