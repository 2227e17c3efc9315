import TestSupport
import Testing
import UndertextCore

@testable import UndertextContainers

/// Reading ahead changes only the time of the announcement to the source.
@Suite struct PreparedReadingTests {
    private struct Outcome: Equatable {
        var packets: [Packet] = []
        var diagnostics: [Diagnostic] = []
        var failure: UndertextError.Code?
    }

    private func outcome(_ source: any RandomAccessSource) -> Outcome? {
        var outcome = Outcome()
        do throws(UndertextError) {
            let file = try MatroskaFile(source: source)
            let reader = try file.packetReader(for: subtitleStreams(file))
            do throws(UndertextError) {
                while let packet = try reader.nextPacket() { outcome.packets.append(packet) }
            } catch {
                outcome.failure = error.code
            }
            outcome.diagnostics = reader.diagnostics.take()
        } catch {
            return nil
        }
        return outcome
    }

    private func films() -> [[UInt8]] {
        let names = [
            "movie.mkv", "movie-ffmpeg.mkv", "zlib.mkv", "encodings.mkv", "cues-inside.mkv",
        ]
        let paths = names.map { fixture("containers/" + $0) } + corpusFiles()
        return paths.compactMap(fileBytes) + [SampleFile.plain(40).bytes]
    }

    @Test func packetsAreTheSame() {
        let films = films()
        #expect(films.count >= 6)
        for film in films {
            let plain = outcome(MemorySource(film))
            #expect(outcome(PromisedSource(film)) == plain)
            #expect(outcome(PromisedSource(film, concurrency: 2)) == plain)
        }
    }

    @Test func readsAreAnnounced() throws {
        var film = SampleFile.plain(200)
        film.tracks.append(SampleFile.track(number: 3))
        // Clusters close to each other were read with one request.
        for place in film.clusters.indices {
            let data = SampleFile.block([UInt8](repeating: 0, count: 4000), track: 3)
            film.clusters[place].blocks.append(
                .init(element: element(0xA3, data), track: 3, time: 0, isIndexed: false))
        }
        let source = PromisedSource(film.bytes)
        let file = try MatroskaFile(source: source)
        _ = try file.index(for: [0, 1])
        let before = source.surprises
        let packets = try drain(file.packetReader(for: [0, 1]))
        #expect(packets.count == 400)
        #expect(source.open == 0)
        #expect(source.surprises - before == 0)
        #expect(source.kept >= 49)
    }

    /// Muxers write the size of a cluster with as few bytes as it needs, so blocks are not where the first cluster
    /// makes us expect them.
    @Test(arguments: [[2, 3], [3, 2], [8, 3], [3, 8]])
    func readsAreAnnouncedIfSizesOfClustersVary(lengths: [Int]) throws {
        var film = SampleFile.plain(200)
        film.addLeadingBlocks(track: 3, size: 4000)
        for place in film.clusters.indices {
            film.clusters[place].sizeLength = place == 0 ? lengths[0] : lengths[1]
        }
        let source = PromisedSource(film.bytes)
        let file = try MatroskaFile(source: source)
        _ = try file.index(for: [0, 1])
        let before = source.surprises
        #expect(try drain(file.packetReader(for: [0, 1])).count == 400)
        #expect(source.surprises == before)
        #expect(source.open == 0)
    }

    /// Over a network each request takes long, so the index and the tags come with one.
    @Test func whatFollowsTheClustersIsReadAtOnce() throws {
        let film = SampleFile.plain(200).bytes
        let source = PromisedSource(film)
        let file = try MatroskaFile(source: source)
        let index = try #require(file.layout.parts(.cues).first)
        let first = try #require(
            file.layout.elements.map(\.start).filter { $0 > file.layout.firstBlocks }.min())
        #expect(first <= index.start)
        let tail = ByteRange(offset: first, count: film.count - Int(first))
        #expect(source.reads.contains(tail), "\(source.reads)")
    }

    /// A window leaves nothing out on the word of an index that contradicts itself.
    @Test(arguments: [60_000, 20] as [UInt64]) func aLyingIndexHidesNothing(time: UInt64) throws {
        var file = SampleFile.plain(12)
        file.clusters[1].blocks[0].time = time
        let window = IndexWindow(TimeWindow(from: .seconds(1), until: .seconds(3)))
        let reader = try open(file.bytes).packetReader(for: [0, 1], window: window)
        let error = #expect(throws: UndertextError.self) { _ = try drain(reader) }
        #expect(error?.code == .indexMismatch)
    }

    @Test func damageIsTheSame() {
        let film = SampleFile.plain(12).bytes
        for damaged in bitFlips(of: film, count: 500, seed: 11) {
            #expect(outcome(PromisedSource(damaged)) == outcome(MemorySource(damaged)))
        }
        for cut in truncations(of: film, step: 7) {
            #expect(outcome(PromisedSource(cut)) == outcome(MemorySource(cut)))
        }
    }
}
