import TestSupport
import Testing
import Undertext
import UndertextCore
import UndertextIO

@testable import UndertextPlayback

/// A player runs for days: unused memory is freed.
@Suite(.serialized) struct HeldMemoryTests {
    /// References to feeds that do not keep them.
    private struct Weak {
        weak var feed: TrackLoader?
    }

    @Test func tenThousandSwitchesAndSeeks() throws {
        let model = SubtitleModel()
        try model.addSubtitles(of: EmbeddedSubtitles(of: fixture("containers/movie.mkv")))
        try model.addSubtitles(of: EmbeddedSubtitles(of: fixture("containers/movie.ts")))
        model.addSubtitle(info: documentOfManySeconds)
        let infos = model.subtitleInfos
        var generator = SeededGenerator(seed: 2)
        var feeds: [Weak] = []
        var afterWarmUp = 0
        for turn in 0..<10_000 {
            let place: SubtitlePlace = turn % 3 == 0 ? .second : .first
            model.select(infos.randomElement(using: &generator), at: place)
            let seconds = Int64.random(in: 0..<25, using: &generator)
            _ = model.subtitle(currentTime: .seconds(seconds))
            feeds += model.state.with { $0.feeds.values.map { Weak(feed: $0) } }
            if turn % 100 == 0 {
                // Reading happens, too.
                #expect(model.waitUntilReady(timeout: .patience))
                feeds.removeAll { $0.feed == nil }
                #expect(feeds.count < 500)
                #expect(model.heldBytes < 32 << 20)
            }
            if turn == 2000 { afterWarmUp = residentKilobytes() }
        }
        #expect(model.waitUntilReady(timeout: .patience))
        let grown = residentKilobytes() - afterWarmUp
        // Other tests in this process allocate and free some hundred megabytes meanwhile.
        #expect(grown < 512 << 10, "\(grown) KiB more after 8000 further switches")
        model.removeAll()
        // Threads that were reading end soon.
        for _ in 0..<20_000 where feeds.contains(where: { $0.feed != nil }) {
            pause(milliseconds: 5)
        }
        #expect(feeds.allSatisfy { $0.feed == nil })
        #expect(model.heldBytes == 0)
        #expect(openDescriptors() < 500)
    }

    @Test func aModelThatGoesTakesAllWithIt() throws {
        weak var model: SubtitleModel?
        var feeds: [Weak] = []
        for _ in 0..<20 {
            let own = SubtitleModel()
            try own.addSubtitles(of: EmbeddedSubtitles(of: fixture("containers/movie.mkv")))
            own.select(language: "en")
            own.selectedSubtitleInfo = own.subtitleInfos.last
            feeds += own.state.with { $0.feeds.values.map { Weak(feed: $0) } }
            model = own
        }
        for _ in 0..<20_000 where feeds.contains(where: { $0.feed != nil }) {
            pause(milliseconds: 5)
        }
        #expect(model == nil)
        #expect(feeds.allSatisfy { $0.feed == nil })
    }

    @Test func imagesAreBounded() throws {
        var options = SubtitleModel.Options()
        options.memoryLimit = 40_000
        options.readAhead = nil
        let model = SubtitleModel(options: options)
        let folder = TemporaryDirectory()
        let film = folder.write(try manyImages, to: "film.sup")
        try model.addSubtitles(of: EmbeddedSubtitles(of: film))
        model.selectedSubtitleInfo = model.subtitleInfos.first
        var largest = 0
        for second in 0..<Int64(200) {
            _ = model.subtitle(currentTime: .seconds(second))
            #expect(model.waitUntilReady(timeout: .patience))
            largest = max(largest, model.heldBytes)
        }
        // Five seconds before and after the playback position are held regardless of their size, and the next
        // image.
        let all = try Media(film).subtitleTrack(id: 0).document().cues
        let whole = all.reduce(0) { $0 + $1.heldBytes }
        #expect(all.count == 80)
        #expect(largest < whole / 5, "\(largest) of \(whole) bytes")
        #expect(model.loadedTrack?.isComplete == false)
    }

    /// The images of twenty seconds, repeated ten times.
    private var manyImages: [UInt8] {
        get throws {
            let once = try #require(fileBytes(fixture("subtitles/bitmaps.sup")))
            var film: [UInt8] = []
            for turn in 0..<10 {
                var rest = once[...]
                // Mark, presentation time, decoding time, kind, size.
                while rest.count >= 13 {
                    let place = rest.startIndex
                    let ticks = rest[place + 2..<place + 6].reduce(0) { $0 << 8 | Int($1) }
                    let size = 13 + Int(rest[place + 11]) * 256 + Int(rest[place + 12])
                    let moved = UInt32(ticks + turn * 20 * 90_000)
                    film += rest[place..<place + 2]
                    film += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: moved >> $0) }
                    film += rest[place + 6..<place + size]
                    rest = rest[(place + size)...]
                }
            }
            return film
        }
    }

    private var documentOfManySeconds: SubtitleInfo { documentInfo("many", count: 2000) }

    private func residentKilobytes() -> Int {
        let pages = (fileText("/proc/self/statm") ?? "").split(separator: " ")
        return pages.count > 1 ? (Int(pages[1]) ?? 0) * 4 : 0
    }

    private func openDescriptors() -> Int { names(in: "/proc/self/fd").count }
}
