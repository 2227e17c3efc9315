import Testing

@testable import UndertextContainers

/// The services that a caption_service_descriptor declares.
@Suite struct CaptionServiceDescriptorTests {
    /// Two services: captions of field 2 in English, and service 5 in French, easy to read.
    private static let bytes: [UInt8] =
        [0xE2] + Array("eng".utf8) + [0x7F, 0x3F, 0xFF] + Array("fre".utf8) + [0xC5, 0xBF, 0xFF]

    @Test func readsBothKinds() {
        let services = StreamDescriptor(tag: 0x86, bytes: Self.bytes).captionServices
        #expect(services.map(\.language) == ["eng", "fre"])
        #expect(services.map(\.number) == [nil, 5])
        #expect(services.first?.field == 1)
        #expect(services.map(\.isEasyToRead) == [false, true])
        #expect(services.map(\.isWide) == [false, false])
    }

    @Test func otherDescriptorsHaveNone() {
        #expect(StreamDescriptor(tag: 0x59, bytes: Self.bytes).captionServices.isEmpty)
    }

    @Test func wholeServicesOfOneThatIsCutOffCount() {
        for length in 0...Self.bytes.count {
            let descriptor = StreamDescriptor(tag: 0x86, bytes: Array(Self.bytes.prefix(length)))
            #expect(descriptor.captionServices.count == max(0, length - 1) / 6)
        }
    }

    @Test func serviceNumberZeroDoesNotExist() {
        let bytes: [UInt8] = [0xE1] + Array("eng".utf8) + [0xC0, 0xFF, 0xFF]
        #expect(StreamDescriptor(tag: 0x86, bytes: bytes).captionServices.isEmpty)
    }
}
