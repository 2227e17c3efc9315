import TestSupport
import Testing
import UndertextContainers
import UndertextCore

@Suite struct MP4EditRemovalTests {
    /// A header and a segment of a track of sound.
    private func parts(
        edits: [(length: UInt32, time: Int32)], time: Int = 1000, offset: Int32 = 0
    ) -> (header: [UInt8], segment: [UInt8]) {
        var builder = MP4Builder("mp4a")
        builder.handler = "soun"
        builder.edits = edits
        let file = builder.fragmented([(time, [.init([1, 2, 3], 1000, offset: offset)])])
        let place = file.firstRange(of: Array("moof".utf8))?.lowerBound ?? 4
        return (Array(file[..<(place - 4)]), Array(file[(place - 4)...]))
    }

    private func changed(_ segment: [UInt8], _ removal: MP4EditRemoval) throws -> [UInt8] {
        var result = segment
        for patch in try removal.patches(of: MemorySource(segment)) {
            let place = Int(patch.offset)
            result.replaceSubrange(place..<place + patch.bytes.count, with: patch.bytes)
        }
        return result
    }

    private func start(_ header: [UInt8], _ segment: [UInt8]) -> Timestamp? {
        FragmentStart(initialization: header, segment: segment).first
    }

    /// Edits are in ticks of 1/600 s and of the media, 1/1000 s.
    @Test(
        arguments: [
            ([], 0, 1000), ([(300, -1), (0, 0)], 0, 1500), ([(300, -1), (0, 200)], 0, 1300),
            ([(0, 200)], 200, 1000), ([(300, -1)], 0, 1500), ([(0, 0)], 40, 1040),
        ] as [([(UInt32, Int32)], Int32, Int64)])
    func delaysGoIntoFragments(edits: [(UInt32, Int32)], offset: Int32, shown: Int64) throws {
        let (header, segment) = parts(
            edits: edits.map { (length: $0.0, time: $0.1) }, offset: offset)
        #expect(start(header, segment) == .milliseconds(shown))
        let removal = try MP4EditRemoval(initialization: header)
        #expect(removal.initialization.count == header.count)
        #expect(removal.initialization.firstRange(of: Array("edts".utf8)) == nil)
        let after = start(removal.initialization, try changed(segment, removal))
        // The part that a list cuts off at the beginning is a delay of all other tracks.
        let cut: Int64 = edits.count == 1 && edits[0].1 > 0 ? Int64(edits[0].1) : 0
        #expect(after == .milliseconds(shown + cut))
    }

    @Test func timesThatDoNotFitAreRefused() throws {
        let (header, segment) = parts(edits: [(300, -1), (0, 0)], time: Int(UInt32.max) - 10)
        let removal = try MP4EditRemoval(initialization: header)
        let error = #expect(throws: UndertextError.self) { try changed(segment, removal) }
        #expect(error?.code == .unsupported)
        #expect(throws: UndertextError.self) { try MP4EditRemoval(initialization: []) }
    }

    @Test func damageDoesNotTrap() throws {
        let (header, segment) = parts(edits: [(300, -1), (0, 200)], offset: -5)
        let removal = try MP4EditRemoval(initialization: header)
        for index in segment.indices {
            _ = try? removal.patches(of: MemorySource(Array(segment[..<index])))
            var damaged = segment
            damaged[index] ^= 0xFF
            _ = try? removal.patches(of: MemorySource(damaged))
            _ = start(header, damaged)
        }
        for index in header.indices {
            var damaged = header
            damaged[index] ^= 0x81
            _ = try? changed(segment, MP4EditRemoval(initialization: damaged))
            _ = start(damaged, segment)
        }
    }
}
