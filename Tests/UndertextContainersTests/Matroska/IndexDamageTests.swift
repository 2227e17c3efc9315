import TestSupport
import Testing
import UndertextContainers
import UndertextCore
import UndertextDeflate

/// A damaged index is no proof, and what a walk misses that the index names is reported.
@Suite struct MatroskaIndexDamageTests {
    /// Two tracks whose numbers differ in one bit, with lengths in the index as muxers write them.
    private static func film(_ count: Int = 24) -> SampleFile {
        var file = SampleFile.plain(count)
        file.tracks = [SampleFile.track(number: 2), SampleFile.track(number: 3)]
        for cluster in file.clusters.indices {
            for place in file.clusters[cluster].blocks.indices {
                let track = file.clusters[cluster].blocks[place].track + 1
                let time = file.clusters[cluster].blocks[place].time
                let relative = Int16(time - file.clusters[cluster].time)
                let frame = Array("cue \(time) of \(track)".utf8)
                let data = SampleFile.block(frame, track: UInt8(track), at: relative)
                file.clusters[cluster].blocks[place] = SampleFile.Block(
                    element: SampleFile.group(data, duration: 500), track: track, time: time,
                    cueDuration: 500)
            }
        }
        return file
    }

    /// The packets read by the index; `nil` if the index is refused or found wrong while reading.
    private func indexed(_ bytes: [UInt8], _ streams: Set<Int>) throws -> [Packet]? {
        let file = try open(bytes)
        guard case .usable = try file.index(for: streams) else { return nil }
        do {
            return try drain(file.packetReader(for: streams))
        } catch let error as UndertextError where error.code == .indexMismatch {
            return nil
        }
    }

    private func cues(_ bytes: [UInt8]) throws -> Range<Int> {
        let mark: [UInt8] = [0x1C, 0x53, 0xBB, 0x6B]
        let start = try #require(
            bytes.indices.dropLast(4).last { Array(bytes[$0..<$0 + 4]) == mark })
        return start..<bytes.count
    }

    /// Every bit of the index: either all packets come by it or it is not relied on.
    @Test func noFlippedBitOfTheIndexHidesABlock() throws {
        let bytes = Self.film().bytes
        let cues = try cues(bytes)
        var refused = 0
        var tried = 0
        for streams in [[0], [1], [0, 1]] as [Set<Int>] {
            let expected = try #require(try indexed(bytes, streams)).map(\.data)
            for bit in stride(
                from: cues.lowerBound * 8, to: cues.upperBound * 8, by: 31 * damageShare)
            {
                var damaged = bytes
                damaged[bit / 8] ^= 1 << UInt8(bit % 8)
                tried += 1
                guard let packets = try indexed(damaged, streams) else {
                    refused += 1
                    continue
                }
                #expect(packets.map(\.data) == expected, "bit \(bit)")
            }
        }
        #expect(refused * 2 > tried)
    }

    /// Only its track number assigns an entry to a track.
    @Test func anEntryOfAnotherTrackIsLookedAt() throws {
        var file = Self.film()
        #expect(try indexed(file.bytes, [0])?.count == 24)
        #expect(file.clusters[1].blocks[0].track == 2)
        file.clusters[1].blocks[0].track = 3
        #expect(try indexed(file.bytes, [0]) == nil)
        // In a part of the file, too.
        let window = IndexWindow(TimeWindow(from: .milliseconds(4000), until: .milliseconds(4500)))
        let opened = try open(file.bytes)
        #expect(try opened.index(for: [0]) == .usable(proof: .muxer))
        let error = #expect(throws: UndertextError.self) {
            _ = try drain(opened.packetReader(for: [0], window: window))
        }
        #expect(error?.code == .indexMismatch)
        // Of its block the header is read.
        let source = MemorySource(Self.film(400).bytes)
        let large = try MatroskaFile(source: source)
        _ = try large.index(for: [0])
        let before = source.statistics
        _ = try drain(large.packetReader(for: [0]))
        let after = source.statistics
        #expect(after.requests - before.requests <= 220)
        #expect(after.bytesRead - before.bytesRead < 60_000)
    }

    @Test func aChecksumIsProof() throws {
        var file = Self.film()
        func indexData(_ change: (inout SampleFile) -> Void = { _ in }) throws -> [UInt8] {
            var copy = file
            copy.cueData = nil
            change(&copy)
            let bytes = copy.bytes
            return Array(bytes[try cues(bytes)].dropFirst(12))
        }
        let data = try indexData()
        let sum = crc32(data[...])
        let checksum = element(0xBF, (0..<4).map { UInt8(truncatingIfNeeded: sum >> ($0 * 8)) })
        file.cueData = checksum + data
        #expect(try indexed(file.bytes, [0])?.count == 24)
        let swapped = try indexData { $0.clusters[1].blocks[0].track = 3 }
        #expect(swapped.count == data.count)
        file.cueData = checksum + swapped
        #expect(
            try open(file.bytes).index(for: [0])
                == .refused(reason: "The index is damaged: its checksum is wrong."))
        // The checksum is the only check of these bytes.
        file.cueData = element(0xBF, [1, 2, 3, 4]) + data
        #expect(try indexed(file.bytes, [0]) == nil)
    }

    @Test func invalidEntriesEndTheProof() throws {
        let entry = SampleFile.cue(time: 0, track: 2, cluster: 0, relative: 0)
        let tails: [[UInt8]] = [
            element(0xBA, []), element(0xBB, []), element(0xBB, number(0xB3, 1)),
            element(0xBB, element(0xB7, number(0xF7, 2) + number(0xF1, 0))),
            element(0xBB, number(0xB3, 1) + element(0xB7, number(0xF7, 2))),
            element(0xBB, number(0xB3, 1) + element(0xB7, number(0xF1, 2))),
            element(0xBB, number(0xB3, 1) + number(0xB3, 1) + element(0xB7, number(0xF7, 2))),
            SampleFile.cue(time: 0, track: 9, cluster: 0, relative: 0), [0xBB], [0xBB, 0x84, 0xB3],
        ]
        for tail in tails {
            var file = Self.film()
            file.cueData = entry + tail
            guard case .refused = try open(file.bytes).index(for: [0]) else {
                Issue.record("\(tail)")
                continue
            }
        }
        var padded = Self.film()
        let bytes = padded.bytes
        padded.cueData = Array(bytes[try cues(bytes)].dropFirst(12)) + element(0xEC, [0, 0])
        #expect(try indexed(padded.bytes, [0, 1])?.count == 48)
    }

    /// The size of a Block cuts off the end of its text: the rest of the group is no element.
    @Test func aBlockThatIsCutShortIsNotRead() throws {
        var file = Self.film()
        let group = file.clusters[1].blocks[0].element
        // Identifier and size of the group, the identifier of the Block, the last byte of its size.
        #expect(group[9] == 0xA1)
        file.clusters[1].blocks[0].element[17] -= 4
        #expect(try indexed(file.bytes, [0]) == nil)
        #expect(
            try walk(file, isIndexed: true).told.map(\.code) == ["damaged-block", "missing-block"])
    }

    // MARK: What a walk reports

    private func walk(_ file: SampleFile, isIndexed: Bool) throws -> (
        count: Int, told: [Diagnostic]
    ) {
        let reader = try open(file.bytes).walkingReader(for: [0, 1], isIndexed: isIndexed)
        return (try drain(reader).count, reader.diagnostics.take())
    }

    @Test func missingBlocksOfTheIndexAreReported() throws {
        var file = Self.film()
        #expect(try walk(file, isIndexed: true).told == [])
        // The second cue becomes one of the other track: no walk can see that.
        let other = SampleFile.block(Array("cue".utf8), track: 3, at: 1000)
        file.clusters[0].blocks[2].element = SampleFile.group(other, duration: 500)
        #expect(try walk(file, isIndexed: false).told == [])
        let (count, told) = try walk(file, isIndexed: true)
        #expect(count == 48)
        #expect(told.map(\.code) == ["missing-block"])
        #expect(told.first?.severity == .error && told.first?.streamIndex == 0)
        #expect(told.first?.time == .milliseconds(1000))
        // A number of a track that there is not is reported by every walk.
        let unknown = SampleFile.block(Array("cue".utf8), track: 6, at: 1000)
        file.clusters[0].blocks[2].element = SampleFile.group(unknown, duration: 500)
        #expect(try walk(file, isIndexed: false).told.map(\.code) == ["damaged-block"])
    }

    @Test func timesThatTheIndexDeniesAreReported() throws {
        var file = Self.film()
        file.clusters[2].time += 65_536
        let told = try walk(file, isIndexed: true).told
        #expect(told.map(\.code) == ["doubtful-time", "doubtful-time"])
        #expect(told.allSatisfy { $0.severity == .warning })
        #expect(told.first?.time == .milliseconds(8000))
    }

    /// A bit of an identifier makes something unknown of a cluster or a block.
    @Test func skippedElementsAreReported() throws {
        let bytes = Self.film().bytes
        let mark: [UInt8] = [0x1F, 0x43, 0xB6, 0x75]
        let clusters = bytes.indices.dropLast(4).filter { Array(bytes[$0..<$0 + 4]) == mark }
        for bit in 0..<8 {
            for offset in [0, 2, 3] {
                for cluster in [clusters[0], clusters[2]] {
                    var damaged = bytes
                    damaged[cluster + offset] ^= 1 << UInt8(bit)
                    let reader = try open(damaged).walkingReader(for: [0, 1])
                    let count = try drain(reader).count
                    let told = reader.diagnostics.take()
                    let isTold = told.contains { $0.severity == .error }
                    #expect(count == 40 && isTold, "\(offset).\(bit)")
                }
            }
            // The first group: 12 bytes of the cluster's start, 17 of its time.
            var damaged = bytes
            damaged[clusters[2] + 12 + 10] ^= 1 << UInt8(bit)
            let reader = try open(damaged).walkingReader(for: [0, 1])
            let count = try drain(reader).count
            #expect(count == 48 || !reader.diagnostics.take().isEmpty, "\(bit)")
        }
    }

    @Test func damagedDescriptionsOfTracksAreReported() throws {
        var file = Self.film()
        #expect(try open(file.bytes).diagnostics == [])
        var odd = SampleFile.track(number: 3)
        odd[0] = 0xAF
        let changes: [[UInt8]] = [
            odd, SampleFile.track(number: 0), SampleFile.track(number: 2),
            SampleFile.track(number: 3, codec: "A_TEXT/UTF8"),
            SampleFile.track(number: 3, number(0x83, 19)),
            SampleFile.track(number: 3, number(0x83, 1)),
            SampleFile.track(number: 3, element(0x6D80, element(0x6240, element(0x5034, [0x42])))),
            SampleFile.track(number: 3, element(0x6D80, element(0x6241, []))),
        ]
        for change in changes {
            file.tracks[1] = change
            let told = try open(file.bytes).diagnostics
            #expect(told.contains { $0.severity == .error && $0.code == "damaged-header" })
        }
    }
}
