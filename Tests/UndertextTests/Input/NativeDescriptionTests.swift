import Foundation
import TestSupport
import Testing
import UndertextCore

@testable import Undertext

/// MP4 files and transport streams that are described without libavformat are described as by libavformat.
@Suite struct NativeDescriptionTests {
    /// The files of a folder that may be described so.
    private static func files(in folder: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }
        return (names ?? []).sorted().filter { name in
            ["mp4", "mov", "ts", "m2ts"].contains { name.hasSuffix("." + $0) }
        }.map { folder + "/" + $0 }
    }

    private static func media(_ input: MediaInput, extracting: Bool) throws -> Media {
        // Otherwise damage fills the output of the tests.
        Media.silenceFFmpeg()
        var options = Media.Options()
        options.readsPackets = extracting
        // A probe of most MP4 files needs no libavformat either.
        options.io = extracting ? .auto : .scan
        options.tracks = .all
        return try Media(input, options: options)
    }

    private static func isNative(_ media: Media) -> Bool {
        (media.demuxer as? ScanningDemuxer)?.describer == nil
    }

    /// The facts of a stream that the reading of subtitles uses.
    private static func facts(_ stream: StreamDescription) -> String {
        let tag = stream.details?.codecTagString ?? ""
        var facts =
            "\(stream.index) \(stream.kind) \(stream.id ?? -1) \(stream.timeBase) \(stream.service ?? "") "
        guard stream.kind.isSubtitle else { return facts }
        facts += "\(stream.codec) \(tag) \(stream.language?.rawValue ?? "") \(stream.title ?? "") "
        facts += "\(stream.disposition) \(stream.codecPrivate) \(String(describing: stream.size)) "
        facts += "\(String(describing: stream.area)) \(String(describing: stream.inlineTimeOrigin))"
        return facts
    }

    /// libavformat forgets the unit of times if a table is damaged; readers of packets have their own.
    private static func factsOfDamaged(_ stream: StreamDescription) -> String {
        var stream = stream
        stream.timeBase = .mpeg
        return facts(stream)
    }

    private static func facts(_ media: Media) -> [String] {
        let container = media.description
        let offset = media.timeline.offset
        return container.streams.map(facts) + [
            "\(container.formatName) \(String(describing: container.fileFormat)) \(offset)",
            "end \(String(describing: media.storedEnd))",
            "rate \(String(describing: media.timecodeRate))",
            "size \(container.size ?? 0) attachments \(container.attachments.count)",
        ]
    }

    /// Compares the descriptions of files; returns the names of those that were described natively.
    private func compare(_ files: [String]) throws -> Set<String> {
        var native: Set<String> = []
        for path in files {
            // Parts of files are no inputs.
            guard let reference = try? Self.media(.file(path), extracting: false) else { continue }
            let found = try Self.media(.file(path), extracting: true)
            #expect(!Self.isNative(reference))
            guard Self.isNative(found) else { continue }
            native.insert(String(path.split(separator: "/").last ?? ""))
            #expect(Self.facts(found) == Self.facts(reference), "\(path)")
            #expect(try found.probe().json == reference.probe().json, "\(path)")
        }
        return native
    }

    @Test func fixtures() throws {
        let native = try compare(Self.files(in: Repository.root + "/Fixtures"))
        #expect(native.isSuperset(of: ["movie.mp4", "movie.ts"]))
        // Captions are found by libavformat, and so is the canvas of teletext.
        #expect(native.isDisjoint(with: ["c608.mp4", "teletext.ts", "h264.ts", "h264.mp4"]))
    }

    @Test(.requiresCorpus()) func corpus() throws {
        let native = try compare(Self.files(in: Repository.corpus))
        #expect(native.contains("sample_with_styl.mp4"))
    }

    /// The native reader describes a damaged file as libavformat does, or leaves it to libavformat.
    @Test(arguments: ["containers/movie.mp4", "containers/movie.ts"])
    func damage(_ name: String) throws {
        let bytes = try fixtureBytes(name)
        // Media data precede the headers of an MP4 file, and are of no interest.
        let isMovie = name.hasSuffix(".mp4")
        let headers = isMovie ? bytes.suffix(6000) : bytes.prefix(6000)
        var count = 0
        for flipped in bitFlips(of: Array(headers), count: 150) {
            var whole = bytes
            whole.replaceSubrange(headers.indices, with: flipped)
            count += try compare(damaged: whole, name)
        }
        for cut in stride(from: 1, to: bytes.count, by: bytes.count / 40) {
            count += try compare(damaged: Array(bytes.dropLast(cut)), name)
        }
        #expect(count > 10 / damageShare)
    }

    /// Returns 1 for a file that was described natively.
    private func compare(damaged bytes: [UInt8], _ name: String) throws -> Int {
        let input = MediaInput.bytes(bytes, name: name)
        guard let found = try? Self.media(input, extracting: true), Self.isNative(found) else {
            return 0
        }
        // libavformat opens no file with a damaged table of any track.
        guard let reference = try? Self.media(input, extracting: false) else { return 0 }
        #expect(
            found.description.streams.map(Self.factsOfDamaged)
                == reference.description.streams.map(Self.factsOfDamaged))
        #expect(found.timeline.offset == reference.timeline.offset)
        return 1
    }
}
