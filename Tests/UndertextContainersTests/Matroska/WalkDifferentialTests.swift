import TestSupport
import Testing
import UndertextContainers
import UndertextCore

/// The walk against libavformat on the same bytes: whole files and damaged ones.
@Suite struct MatroskaWalkDifferentialTests {
    /// The Matroska files of the fixtures and of the independent test data.
    private static let paths: [String] = {
        let folders = [fixture("containers"), corpusPath("")].compactMap { $0 }
        return folders.flatMap { files(below: $0) }.filter { path in
            [".mkv", ".webm", ".mks"].contains { path.hasSuffix($0) }
        }.sorted()
    }()

    @Test func givesWhatAScanGives() throws {
        var compared = 0
        var packets = 0
        for path in Self.paths {
            let bytes = try #require(fileBytes(path))
            guard let file = try? open(bytes) else { continue }
            // Each stream that can be read, and all of them together.
            let readable = subtitleStreams(file).filter {
                (try? file.walkingReader(for: [$0])) != nil
            }
            for streams in [readable] + readable.map({ [$0] }) {
                guard let result = WalkComparison(bytes, streams: streams) else {
                    Issue.record("\(path): not compared")
                    continue
                }
                #expect(result.walked == result.scanned, "\(path) \(streams)")
                let isWhole = result.diagnostics.allSatisfy { $0.severity != .error }
                #expect(isWhole != path.hasSuffix("/truncated.mkv"), "\(path)")
                packets += result.walked.count
                compared += 1
                guard case .usable? = try? file.index(for: streams),
                    let indexed = try? drain(file.packetReader(for: streams))
                else { continue }
                #expect(result.walked == indexed, "\(path) \(streams)")
            }
        }
        print("walk = scan: \(compared) selections, \(packets) packets")
        #expect(compared > 30 && packets > 300)
    }

    /// Files of our own, with the number of damaged copies to look at.
    private static let bases: [(name: String, bytes: [UInt8], copies: Int)] = {
        let plain = SampleFile.plain(24)
        var live = plain
        live.hasUnknownSize = true
        live.hasCues = false
        for place in live.clusters.indices { live.clusters[place].hasUnknownSize = true }
        var bases = [("plain", plain.bytes, 1000), ("live", live.bytes, 1000)]
        for name in ["cues-none.mkv", "unknown-sizes.mkv", "movie.webm", "cues-video.mkv"] {
            guard let bytes = fileBytes(fixture("containers/" + name)) else { continue }
            bases.append((name, bytes, 500))
        }
        return bases
    }()

    @Test(arguments: 0..<6)
    func reportsEveryLossInDamagedClusters(_ base: Int) throws {
        let (name, bytes, copies) = Self.bases[base]
        let places = Set(try #require(WalkComparison(bytes)).walked.map(\.position))
        // The header is not what is compared here.
        let start = try #require(firstCluster(bytes))
        var (same, fewer, more, compared) = (0, 0, 0, 0)
        for tail in bitFlips(of: Array(bytes[start...]), count: copies) {
            guard let result = WalkComparison(Array(bytes[..<start]) + tail) else { continue }
            compared += 1
            if result.walked == result.scanned { same += 1 }
            if !result.missing.isEmpty {
                fewer += 1
                #expect(!result.diagnostics.isEmpty, "\(name): \(result.missing)")
            }
            if !result.additional.isEmpty {
                more += 1
                // After damage, libavformat drops the rest of the cluster, the walk does not. The additional
                // packets are blocks of the original, or the damage is reported.
                let isBlock = result.additional.allSatisfy { places.contains($0.position) }
                #expect(isBlock || !result.diagnostics.isEmpty, "\(name)")
            }
            #expect(result.statistics.bytesRead < UInt64(bytes.count) * 3 + 4096, "\(name)")
        }
        print(
            "\(name): \(compared) damaged copies, \(same) the same as a scan, \(fewer) with fewer "
                + "packets, \(more) with more")
        #expect(
            compared > copies * 9 / 10 && same > compared / 5 && fewer * 10 < more * 10 + copies)
    }

    private func firstCluster(_ bytes: [UInt8]) -> Int? {
        let mark: [UInt8] = [0x1F, 0x43, 0xB6, 0x75]
        // A SeekHead also contains the identifier, after a size of four bytes.
        return bytes.indices.dropLast(16).first {
            bytes[$0..<$0 + 4].elementsEqual(mark) && bytes[$0 - 1] != 0x84
        }
    }

    /// The two may differ only in whether they recognize a file as truncated.
    @Test func givesWhatAScanGivesOfCutOffFiles() throws {
        let bytes = try fixtureBytes("containers/unknown-sizes.mkv")
        let start = try #require(firstCluster(bytes))
        var compared = 0
        for count in start..<bytes.count {
            guard let result = WalkComparison(Array(bytes[..<count])) else { continue }
            compared += 1
            #expect(result.missing.isEmpty && result.additional.isEmpty, "\(count)")
        }
        #expect(compared > 1000)
    }
}
