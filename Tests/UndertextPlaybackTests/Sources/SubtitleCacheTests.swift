import TestSupport
import Testing
import Undertext
import UndertextCore

@testable import UndertextPlayback

@Suite struct SubtitleCacheTests {
    private func cache(_ folder: TemporaryDirectory, limit: Int = 1 << 20) throws -> SubtitleCache {
        try #require(SubtitleCache(folder: folder / "cache", limit: limit))
    }

    private func download(_ text: String) -> CachedFile {
        CachedFile(name: text + ".srt", bytes: Array(text.utf8))
    }

    @Test func storedDataIsReturned() throws {
        let folder = TemporaryDirectory()
        let cache = try cache(folder)
        #expect(cache.content(for: "a") == nil)
        #expect(cache.store(download("one"), for: "a"))
        #expect(cache.store(download("two"), for: "b"))
        #expect(cache.content(for: "a") == download("one"))
        #expect(cache.store(download("three"), for: "a"))
        #expect(cache.content(for: "a") == download("three"))
        #expect(cache.content(for: "b") == download("two"))
        // Another process, later.
        #expect(try self.cache(folder).content(for: "b") == download("two"))
        cache.removeAll()
        #expect(cache.content(for: "b") == nil)
        #expect(cache.size == 0)
    }

    @Test func keysNeverBecomePaths() throws {
        let folder = TemporaryDirectory()
        let cache = try cache(folder)
        let keys = [
            "../../evil", "/etc/passwd", "a/b", "", ".", "..", "nul\u{0}byte", "x\n",
            String(repeating: "long", count: 10_000), "\u{202E}",
        ]
        for key in keys {
            #expect(cache.store(download("for " + key.prefix(20)), for: key))
        }
        for key in keys {
            #expect(cache.content(for: key) == download("for " + key.prefix(20)))
        }
        let names = TestSupport.names(in: folder / "cache")
        #expect(names.count == keys.count)
        for name in names {
            #expect(name.utf8.count == 32 + ".subtitle".utf8.count)
            #expect(name.hasSuffix(".subtitle"))
        }
        #expect(folder.names == ["cache"])
    }

    @Test func damageIsAMiss() throws {
        let key = "the key"
        let record = CacheRecord.bytes(of: download("payload"), key: key)
        #expect(CacheRecord.content(of: record, key: key) == download("payload"))
        #expect(CacheRecord.content(of: record, key: "another key") == nil)
        for cut in truncations(of: record) {
            #expect(CacheRecord.content(of: cut, key: key) == nil)
        }
        #expect(CacheRecord.content(of: record + [0], key: key) == nil)
        for bit in 0..<record.count * 8 {
            var damaged = record
            damaged[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(CacheRecord.content(of: damaged, key: key) == nil)
        }
        // Wrong lengths with a correct checksum cause no allocation.
        let folder = TemporaryDirectory()
        let cache = try cache(folder)
        #expect(cache.store(download("payload"), for: key))
        let file = try #require(TestSupport.names(in: folder / "cache").first)
        folder.write(Array(record.prefix(record.count / 2)), to: "cache/" + file)
        #expect(cache.content(for: key) == nil)
        #expect(cache.store(download("again"), for: key))
        #expect(cache.content(for: key) == download("again"))
    }

    @Test func leftoversOfACrashAreHiddenAndRemoved() throws {
        let folder = TemporaryDirectory()
        let cache = try cache(folder)
        #expect(cache.store(download("one"), for: "a"))
        let name = try #require(TestSupport.names(in: folder / "cache").first)
        let old = folder.write([1, 2, 3], to: "cache/.\(name).123.undertext-part")
        let young = folder.write([1, 2, 3], to: "cache/.\(name).124.undertext-part")
        #expect(makeOld(old, seconds: 100_000))
        #expect(cache.content(for: "a") == download("one"))
        #expect(cache.store(download("two"), for: "b"))
        #expect(!exists(old))
        #expect(exists(young), "somebody may be writing it")
        #expect(cache.content(for: "a") == download("one"))
    }

    @Test func theLeastRecentlyUsedGoesFirst() throws {
        let folder = TemporaryDirectory()
        let cache = try cache(folder, limit: 5 * 4096)
        for number in 0..<5 { #expect(cache.store(download("\(number)"), for: "\(number)")) }
        #expect(cache.size == 5 * 4096)
        for (age, number) in [3, 0, 1, 4, 2].enumerated() {
            let path = folder / "cache/" + CacheRecord.name(of: "\(number)") + ".subtitle"
            #expect(makeOld(path, seconds: 1000 - age))
        }
        // Reading makes it young.
        #expect(cache.content(for: "3") != nil)
        #expect(cache.store(download("5"), for: "5"))
        #expect(cache.store(download("6"), for: "6"))
        #expect(cache.size <= 5 * 4096)
        let left = (0..<7).filter { cache.content(for: "\($0)") != nil }
        #expect(left == [2, 3, 4, 5, 6])
    }

    @Test func theBoundHolds() throws {
        let folder = TemporaryDirectory()
        let cache = try cache(folder, limit: 50_000)
        var generator = SeededGenerator(seed: 4)
        for number in 0..<60 {
            let size = Int.random(in: 0...30_000, using: &generator)
            let input = CachedFile(name: "x", bytes: generator.bytes(size))
            #expect(cache.store(input, for: "\(number % 20)"))
            #expect(cache.size <= 50_000)
            #expect(cache.content(for: "\(number % 20)") == input, "the newest is always there")
        }
        #expect(!cache.store(CachedFile(name: "x", bytes: generator.bytes(60_000)), for: "large"))
        #expect(cache.content(for: "large") == nil)
    }

    @Test func aFolderThatCannotBeWritten() throws {
        let folder = TemporaryDirectory()
        folder.write("a file", to: "cache")
        let cache = try cache(folder)
        #expect(!cache.store(download("one"), for: "a"))
        #expect(cache.content(for: "a") == nil)
        #expect(cache.size == 0)
    }

    @Test func downloadsAreFetchedOnce() throws {
        let folder = TemporaryDirectory()
        let info = SubtitleInfo(id: "s", name: "s", source: "service", origin: .deferred(key: "1"))
        let text = "1\n00:00:00,000 --> 00:00:09,000\nfetched\n"
        let content = SubtitleContent(bytes: Array(text.utf8), name: "x.srt")
        let service = TestSource("service", listed: .success([info]), fetched: .success(content))
        for _ in 0..<3 {
            let model = SubtitleModel()
            try model.addSubtitles(of: CachedSubtitles(service, in: cache(folder)))
            model.selectedSubtitleInfo = model.subtitleInfos.first
            #expect(model.texts(at: .seconds(1)) == ["fetched"])
        }
        #expect(service.calls["fetch"] == 1)
    }
}
