import TestSupport
import Testing
import Undertext
import UndertextCore
import UndertextIO

/// A damaged file on each read path: each path returns every cue that another one returns, or reports a loss.
@Suite struct DamagePathTests {
    /// The ways of reading a file.
    enum Path: CaseIterable {
        case index, walk, scan, pipe
    }

    /// The properties of a packet that are equal on every path.
    struct Key: Hashable {
        var stream: Int
        var pts: Int64?
        var data: [UInt8]
    }

    private let folder = TemporaryDirectory()

    /// The packets of a path and whether it reports a loss.
    private func read(_ bytes: [UInt8], _ path: Path) throws -> (keys: Set<Key>, isTold: Bool) {
        var options = Media.Options()
        let file: Media
        do throws(UndertextError) {
            switch path {
            case .index: file = try Media(folder / "film.mkv", options: options)
            case .walk:
                options.io = .walk
                file = try Media(folder / "film.mkv", options: options)
            case .scan:
                options.io = .scan
                file = try Media(folder / "film.mkv", options: options)
            case .pipe: file = try piped()
            }
        } catch {
            return ([], true)
        }
        var keys: Set<Key> = []
        var diagnostics = file.diagnostics
        do throws(UndertextError) {
            let reader = try file.packetReader(of: file.subtitleTracks)
            while let packet = try reader.nextPacket() {
                keys.insert(
                    Key(stream: packet.streamIndex, pts: packet.pts, data: packet.data))
            }
            diagnostics += reader.takeDiagnostics()
        } catch {
            return (keys, true)
        }
        return (keys, diagnostics.contains { $0.severity == .error })
    }

    /// The file through a pipe, whose writer is a process of its own.
    private func piped() throws(UndertextError) -> Media {
        let script = "cat '\(folder / "film.mkv")' > '\(folder / "pipe")'"
        folder.write("", to: "empty")
        let process = spawn(
            "/bin/sh", ["sh", "-c", script], input: folder / "empty", output: folder / "out",
            error: folder / "err")
        defer { if let process { _ = waitForExit(process) } }
        return try Media(folder / "pipe")
    }

    private static let files: [(name: String, bytes: [UInt8])] = {
        var live = SmallMatroska()
        live.isLive = true
        var web = SmallMatroska()
        web.docType = "webm"
        web.hasCues = false
        return [
            ("usual", SmallMatroska().bytes), ("live", live.bytes), ("webm", web.bytes),
        ]
    }()

    /// Copies with one kind of damage each.
    private static func damaged(
        _ bytes: [UInt8], count: Int, seed: UInt64
    ) -> [[UInt8]] {
        (0..<count).map { index in
            var random = SeededGenerator(seed: seed &+ UInt64(index) &* 0x1_0001)
            var copy = bytes
            // The EBML header is what makes it Matroska.
            let place = Int.random(in: 30..<copy.count - 20, using: &random)
            let length = Int.random(in: 1...16, using: &random)
            switch index % 5 {
            case 0: copy[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: copy.replaceSubrange(place..<place + length, with: random.bytes(length))
            case 2: copy.removeSubrange(place..<place + length)
            case 3: copy.insert(contentsOf: random.bytes(length), at: place)
            default: copy.removeSubrange(place...)
            }
            return copy
        }
    }

    @Test func soundFilesAreEqualOnEveryPath() throws {
        #expect(run("mkfifo", [folder / "pipe"]).status == 0)
        for file in Self.files {
            folder.write(file.bytes, to: "film.mkv")
            let walked = try read(file.bytes, .walk)
            #expect(walked.keys.count > 90 && !walked.isTold, "\(file.name)")
            for path in Path.allCases {
                let found = try read(file.bytes, path)
                #expect(found.keys == walked.keys, "\(file.name), \(path)")
                #expect(!found.isTold, "\(file.name), \(path)")
            }
        }
    }

    @Test(arguments: [0, 1, 2]) func noPathLosesCuesSilently(_ number: Int) throws {
        #expect(run("mkfifo", [folder / "pipe"]).status == 0)
        let file = Self.files[number]
        let copies = Self.damaged(file.bytes, count: 60, seed: 1717 + UInt64(number))
        var reported = 0
        for (index, copy) in copies.enumerated() where index % damageShare == 0 {
            folder.write(copy, to: "film.mkv")
            // Cues that an index hides are the responsibility of its proof.
            let paths = Path.allCases
            let results = try paths.map { (path: $0, result: try read(copy, $0)) }
            let all = results.reduce(into: Set<Key>()) { $0.formUnion($1.result.keys) }
            for (path, result) in results {
                let lost = all.subtracting(result.keys)
                #expect(
                    lost.isEmpty || result.isTold,
                    "\(file.name) \(index): \(path) loses \(lost.count) of \(all.count) silently")
                reported += result.isTold ? 1 : 0
            }
        }
        #expect(reported > copies.count / damageShare)
    }
}
