import Glibc
import TestSupport
import Testing
import UndertextCore
import UndertextIO
import UndertextLibrary

/// A watch finds every file once it is complete, whatever happens to the folders.
///
/// A file is *not* found if another one that is made after it is found first.
@Suite struct LibraryWatchTests {
    let folder = TemporaryDirectory()
    let media: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3, 1, 2, 3]

    /// A watch of the folder with what it reports.
    private final class Subject {
        var failures: [UndertextError] = []
        var notices: [LibraryWatch.Notice] = []
        private(set) var watch: LibraryWatch?
        private let wakeUp = EventDescriptor()

        init(_ roots: [String], _ walk: WalkOptions = WalkOptions(), settling: Duration) {
            var options = WatchOptions()
            options.settling = settling
            options.scanInterval = .milliseconds(200)
            watch = LibraryWatch(
                roots: roots.map { FileSystem.canonical($0) ?? $0 }, walk: walk, options: options,
                fail: { [unowned self] in failures.append($0) },
                notify: { [unowned self] in notices.append($0) })
        }

        /// The files that are found, until all of `last` are among them, in the order of their paths.
        func files(until last: String...) throws -> [String] {
            let (watch, wakeUp) = (try #require(watch), try #require(wakeUp))
            var found: [String] = []
            let end = ContinuousClock.now + .seconds(120)
            while !last.allSatisfy(found.contains), ContinuousClock.now < end {
                if let file = watch.next() {
                    found.append(file.relativePath)
                } else {
                    watch.wait(wakeUp, timeout: .seconds(1))
                }
            }
            return found.sorted()
        }
    }

    private func subject(_ walk: WalkOptions = WalkOptions()) -> Subject {
        Subject([folder.path], walk, settling: .milliseconds(50))
    }

    /// Finds what is there; the watch is idle then.
    private func begin(_ walk: WalkOptions = WalkOptions()) throws -> Subject {
        folder.write(media, to: "begin.mkv")
        let subject = subject(walk)
        #expect(try subject.files(until: "begin.mkv").last == "begin.mkv")
        return subject
    }

    @Test func findsOldFilesFirstAndNewOnesOnce() throws {
        folder.write(media, to: "old.mkv")
        #expect(makeOld(folder / "old.mkv", seconds: 60))
        let subject = subject()
        #expect(subject.watch?.isFirstPass == true)
        #expect(try subject.files(until: "old.mkv") == ["old.mkv"])
        for text in ["1", "12", "123"] { folder.write(text, to: "new.mkv") }
        folder.write("no input", to: "notes.txt")
        folder.write(media, to: "part.vtt")
        #expect(unsafe rename(folder / "part.vtt", folder / "whole.srt") == 0)
        folder.write(media, to: "last.mkv")
        #expect(try subject.files(until: "last.mkv") == ["last.mkv", "new.mkv", "whole.srt"])
        #expect(subject.watch?.isFirstPass == false)
    }

    @Test func waitsForTheWriter() throws {
        let subject = try begin()
        let path = folder / "slow.mkv"
        let descriptor = unsafe open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o644)
        #expect(unsafe write(descriptor, media, media.count) == media.count)
        folder.write(media, to: "1.mkv")
        #expect(try subject.files(until: "1.mkv") == ["1.mkv"])
        #expect(unsafe write(descriptor, media, media.count) == media.count)
        close(descriptor)
        #expect(try subject.files(until: "slow.mkv") == ["slow.mkv"])
        // A hard link is never closed.
        #expect(makeOld(path, seconds: 60))
        #expect(unsafe link(path, folder / "link.mkv") == 0)
        #expect(try subject.files(until: "link.mkv") == ["link.mkv"])
    }

    /// Files are found that are made before a new folder is watched.
    @Test func losesNothingOfNewFolders() throws {
        let subject = try begin()
        var found: [String] = []
        for number in 0..<30 {
            let path = folder / "\(number)"
            #expect(makeFolder(path) && makeFolder(path + "/sub"))
            writeFile(media, to: path + "/a.mkv")
            writeFile(media, to: path + "/sub/b.mkv")
            // Some folders are watched while others are made.
            if number % 10 == 0, let file = subject.watch?.next() {
                found.append(file.relativePath)
            }
        }
        folder.write(media, to: "29/sub/last.mkv")
        found += try subject.files(until: "29/sub/last.mkv")
        folder.write(media, to: "end.mkv")
        found += try subject.files(until: "end.mkv")
        #expect(Set(found).count == 62 && found.count == 62)
    }

    @Test func followsRenamedFolders() throws {
        for name in ["a", "a/sub", "b"] { #expect(makeFolder(folder / name)) }
        folder.write(media, to: "a/sub/x.mkv")
        let subject = subject()
        #expect(try subject.files(until: "a/sub/x.mkv") == ["a/sub/x.mkv"])
        #expect(unsafe rename(folder / "a", folder / "b/c") == 0)
        #expect(try subject.files(until: "b/c/sub/x.mkv") == ["b/c/sub/x.mkv"])
        folder.write(media, to: "b/c/sub/y.mkv")
        #expect(try subject.files(until: "b/c/sub/y.mkv") == ["b/c/sub/y.mkv"])
        // Two folders exchange their names.
        #expect(makeFolder(folder / "d"))
        folder.write(media, to: "d/1.mkv")
        #expect(try subject.files(until: "d/1.mkv") == ["d/1.mkv"])
        for (old, new) in [("b", "x"), ("d", "b"), ("x", "d")] {
            #expect(unsafe rename(folder / old, folder / new) == 0)
        }
        _ = try subject.files(until: "d/c/sub/x.mkv", "d/c/sub/y.mkv", "b/1.mkv")
        folder.write(media, to: "b/2.mkv")
        folder.write(media, to: "d/c/3.mkv")
        #expect(
            try subject.files(until: "b/2.mkv", "d/c/3.mkv") == ["b/2.mkv", "d/c/3.mkv"])
        // One that was removed is not watched any longer; one of the same name is.
        #expect(run("rm", ["-r", folder / "d"]).status == 0)
        #expect(makeFolder(folder / "d"))
        folder.write(media, to: "d/4.mkv")
        #expect(try subject.files(until: "d/4.mkv") == ["d/4.mkv"])
        folder.write(media, to: "d/5.mkv")
        #expect(try subject.files(until: "d/5.mkv") == ["d/5.mkv"])
        #expect(subject.failures.isEmpty)
        #expect(subject.watch?.folderCount == 3)
    }

    @Test func waitsForARootToReturn() throws {
        let root = folder / "root"
        #expect(makeFolder(root))
        writeFile(media, to: root + "/a.mkv")
        let subject = Subject([root], settling: .milliseconds(50))
        #expect(try subject.files(until: "a.mkv") == ["a.mkv"])
        #expect(unsafe rename(root, folder / "away") == 0)
        writeFile(media, to: folder / "away/lost.mkv")
        while subject.failures.isEmpty {
            _ = subject.watch?.next()
            subject.watch?.wait(try #require(EventDescriptor()), timeout: .milliseconds(50))
        }
        #expect(subject.failures.map(\.code) == [.notFound])
        #expect(makeFolder(root))
        writeFile(media, to: root + "/b.mkv")
        #expect(try subject.files(until: "b.mkv") == ["b.mkv"])
        writeFile(media, to: root + "/c.mkv")
        #expect(try subject.files(until: "c.mkv") == ["c.mkv"])
        #expect(subject.failures.count == 1)
    }

    @Test func followsLinksOnce() throws {
        #expect(makeFolder(folder / "a"))
        folder.write(media, to: "a/x.mkv")
        #expect(unsafe symlink("..", folder / "a/loop") == 0)
        var walk = WalkOptions()
        walk.followsLinks = true
        let subject = try begin(walk)
        let outside = TemporaryDirectory()
        outside.write(media, to: "far.mkv")
        #expect(unsafe symlink(outside.path, folder / "outside") == 0)
        #expect(unsafe symlink("a", folder / "again") == 0)
        let found = try subject.files(until: "outside/far.mkv")
        #expect(found.filter { $0 != "a/x.mkv" } == ["outside/far.mkv"])
        outside.write(media, to: "new.mkv")
        folder.write(media, to: "a/y.mkv")
        folder.write(media, to: "z.mkv")
        let last = ["a/y.mkv", "outside/new.mkv", "z.mkv"]
        #expect(try subject.files(until: last[0], last[1], last[2]) == last)
    }

    /// The kernel's queue is full: what it dropped is found nevertheless.
    @Test func scansAfterAnOverflow() throws {
        #expect(makeFolder(folder / "before"))
        let subject = try begin()
        let limit = fileText("/proc/sys/fs/inotify/max_queued_events").flatMap {
            Int($0.split(separator: "\n").first ?? "")
        }
        for number in 0...(limit ?? 16_384) / 2 {
            // Names alternate, or equal changes would be one.
            let path = folder / "\(number % 2).tmp"
            close(unsafe open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o644))
            unsafe unlink(path)
        }
        folder.write(media, to: "before/lost.mkv")
        #expect(makeFolder(folder / "new"))
        folder.write(media, to: "new/lost.mkv")
        let found = try subject.files(until: "before/lost.mkv", "new/lost.mkv")
        #expect(Set(found) == ["begin.mkv", "before/lost.mkv", "new/lost.mkv"])
        #expect(
            subject.notices.contains {
                if case .overflow = $0 { true } else { false }
            })
        folder.write(media, to: "new/next.mkv")
        #expect(try subject.files(until: "new/next.mkv") == ["new/next.mkv"])
    }

    /// The files of VobSub are one input, which is complete when both are.
    @Test func waitsForBothFilesOfVobSub() throws {
        let subject = try begin()
        folder.write("# VobSub index file, v7\n", to: "a.idx")
        let path = folder / "a.sub"
        let descriptor = unsafe open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o644)
        folder.write(media, to: "1.mkv")
        #expect(try subject.files(until: "1.mkv") == ["1.mkv"])
        #expect(unsafe write(descriptor, media, media.count) == media.count)
        close(descriptor)
        #expect(try subject.files(until: "a.idx") == ["a.idx"])
        writeFile(media + media, to: path)
        #expect(try subject.files(until: "a.idx") == ["a.idx"])
    }

    @Test func leavesOutWhatIsNoInput() throws {
        var walk = WalkOptions()
        walk.excludes = [PathGlob("Extras")]
        walk.writtenExtensions = ["vtt"]
        walk.excludedFolders = [try #require(FileSystem.canonical(folder.path)) + "/out"]
        let subject = try begin(walk)
        for name in ["Extras", "out", ".hidden", "x.images"] {
            #expect(makeFolder(folder / name))
            folder.write("[]", to: name + "/index.json")
            folder.write(media, to: name + "/a.mkv")
        }
        folder.write(media, to: "a.vtt")
        folder.write(media, to: ".b.mkv")
        folder.write(media, to: ".c.mkv.1.undertext-part")
        folder.write("text", to: "unknown")
        #expect(makeFolder(folder / "y"))
        folder.write(media, to: "y/z.mkv")
        #expect(try subject.files(until: "y/z.mkv") == ["y/z.mkv"])
        #expect(subject.watch?.folderCount == 2)
    }

    /// On a file system that other machines may change, changes are found that the kernel does not report.
    @Test(.requires("bindfs"))
    func scansNetworkFileSystems() throws {
        let (below, mounted) = (folder / "below", folder / "mounted")
        #expect(makeFolder(below) && makeFolder(mounted))
        try #require(run("bindfs", [below, mounted]).status == 0)
        defer { _ = run("umount", ["-l", mounted]) }
        writeFile(media, to: below + "/a.mkv")
        #expect(makeOld(below + "/a.mkv", seconds: 600))
        let subject = subject()
        #expect(try subject.files(until: "mounted/a.mkv").contains("mounted/a.mkv"))
        #expect(
            subject.notices.contains {
                if case .scanning(let path, .network, _) = $0 {
                    path.hasSuffix("/mounted")
                } else {
                    false
                }
            })
        #expect(makeFolder(below + "/sub"))
        writeFile(media, to: below + "/sub/b.mkv")
        #expect(makeOld(below + "/sub/b.mkv", seconds: 600))
        #expect(try subject.files(until: "mounted/sub/b.mkv").contains("mounted/sub/b.mkv"))
    }
}
