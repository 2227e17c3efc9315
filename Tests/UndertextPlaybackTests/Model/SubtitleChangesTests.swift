import Observation
import TestSupport
import Testing
import Undertext
import UndertextCore
import UndertextPlayback

@Suite struct SubtitleChangesTests {
    /// Counts the changes of properties that `read` uses while `work` runs.
    private func observed(
        _ read: () -> Void, while work: () -> Void
    ) -> Bool {
        let counter = Counter()
        withObservationTracking(read) { counter.add("changed") }
        work()
        return counter["changed"] > 0
    }

    @Test func observation() {
        let model = SubtitleModel()
        #expect(
            observed {
                _ = model.subtitleInfos
            } while: {
                model.addSubtitle(info: documentInfo("a"))
            })
        #expect(
            !observed {
                _ = model.parts
            } while: {
                model.addSubtitle(info: documentInfo("b"))
            })
        #expect(
            observed {
                _ = model.selectedSubtitleInfo
            } while: {
                model.selectedSubtitleInfo = model.subtitleInfos.first
            })
        #expect(model.texts(at: .seconds(0)) == ["a 0"])
        #expect(
            !observed {
                _ = model.parts
            } while: {
                _ = model.subtitle(currentTime: .milliseconds(5))
            })
        #expect(
            observed {
                _ = model.parts
            } while: {
                _ = model.subtitle(currentTime: .seconds(1))
            })
        #expect(
            !observed {
                _ = model.secondParts
            } while: {
                _ = model.subtitle(currentTime: .seconds(2))
            })
        #expect(
            observed {
                _ = model.subtitleDelay
            } while: {
                model.subtitleDelay = .seconds(1)
            })
        // The same delay is no change.
        #expect(
            !observed {
                _ = model.subtitleDelay
            } while: {
                model.subtitleDelay = .seconds(1)
            })
        #expect(
            observed {
                _ = model.loadedTrack
            } while: {
                model.selectedSubtitleInfo = nil
            })
    }

    @Test func anObserverMayAskTheModel() {
        let model = SubtitleModel()
        let seen = Counter()
        withObservationTracking {
            _ = model.subtitleInfos
        } onChange: {
            // The change has already arrived.
            for info in model.subtitleInfos { seen.add(info.id) }
        }
        model.addSubtitle(info: documentInfo("a"))
        #expect(seen["a"] == 1)
    }

    @Test func streamOfChanges() async {
        let model = SubtitleModel()
        var changes = model.changes().makeAsyncIterator()
        model.addSubtitle(info: documentInfo("a"))
        #expect(await changes.next()?.contains(.infos) == true)
        model.addSubtitle(info: documentInfo("b"))
        model.subtitleDelay = .seconds(1)
        // Two that were not taken become one.
        #expect(await changes.next()?.isSuperset(of: [.infos, .delay]) == true)
        model.selectedSubtitleInfo = model.subtitleInfos.first
        var all: SubtitleChanges = []
        while !all.contains(.parts), let next = await changes.next() {
            all.formUnion(next)
            _ = model.subtitle(currentTime: .seconds(1))
        }
        #expect(all.isSuperset(of: [.selection, .parts, .tracks]))
    }

    @Test func theStreamEndsWithTheModel() async {
        var model: SubtitleModel? = SubtitleModel()
        let changes = model?.changes()
        let reader = Task {
            guard let changes else { return 0 }
            var count = 0
            for await _ in changes { count += 1 }
            return count
        }
        model?.addSubtitle(info: documentInfo("a"))
        model = nil
        #expect(await reader.value <= 1)
    }

    @Test func aCancelledReaderStops() async {
        let model = SubtitleModel()
        let changes = model.changes()
        let reader = Task { for await _ in changes {} }
        reader.cancel()
        await reader.value
        // The model continues without it.
        model.addSubtitle(info: documentInfo("a"))
        #expect(model.subtitleInfos.count == 1)
    }
}
