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

    private static func media(_ path: String, extracting: Bool) throws -> Media {
        var options = Media.Options()
        options.readsPackets = extracting
        options.tracks = .all
        return try Media(path, options: options)
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
            guard let reference = try? Self.media(path, extracting: false) else { continue }
            let found = try Self.media(path, extracting: true)
            #expect(!Self.isNative(reference))
            guard Self.isNative(found) else { continue }
            native.insert(String(path.split(separator: "/").last ?? ""))
            #expect(Self.facts(found) == Self.facts(reference), "\(path)")
            #expect(
                try found.probedDescription().streams == reference.probedDescription().streams,
                "\(path)")
        }
        return native
    }

    @Test func fixtures() throws {
        let native = try compare(Self.files(in: Repository.root + "/Fixtures"))
        #expect(native.isSuperset(of: ["movie.mp4", "movie.ts", "epoch-long.ts"]))
        // Captions are found by libavformat, and so is the canvas of teletext.
        #expect(native.isDisjoint(with: ["c608.mp4", "teletext.ts", "h264.ts", "h264.mp4"]))
    }

    @Test(.requiresCorpus()) func corpus() throws {
        let native = try compare(Self.files(in: Repository.corpus))
        #expect(native.contains("sample_with_styl.mp4"))
    }
}
