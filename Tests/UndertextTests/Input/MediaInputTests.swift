import Glibc
import TestSupport
import Testing
import Undertext
import UndertextCore

/// Inputs that are no paths: bytes, pipes, and sources of the caller's own.
@Suite struct MediaInputTests {
    /// The example of the documentation of `ByteSource`.
    final class Slice: ByteSource {
        let name = "slice.mkv"
        let bytes: [UInt8]
        init(_ bytes: [UInt8]) { self.bytes = bytes }
        var size: UInt64 { UInt64(bytes.count) }
        func read(at offset: UInt64, count: Int) throws -> [UInt8] {
            Array(bytes[Int(offset)...].prefix(count))
        }
    }

    /// Matroska by its index and its headers, MP4, a transport stream, images, a text file.
    static let names = [
        "containers/movie.mkv", "containers/movie-nocues.mkv", "containers/movie.webm",
        "containers/movie.mp4", "containers/movie.ts", "subtitles/bitmaps.sup",
        "subtitles/captions.vtt", "subtitles/signs.ass",
    ]

    private func cues(_ media: Media) throws -> [[Cue]] {
        try media.subtitleTracks.map { track in
            let reader = try track.cueReader()
            var cues: [Cue] = []
            while let cue = try reader.next() { cues.append(cue) }
            return cues
        }
    }

    @Test(arguments: names)
    func bytesAndSourcesReadAsTheFileDoes(_ name: String) throws {
        let bytes = try fixtureBytes(name)
        let expected = try cues(Media(fixture(name)))
        #expect(expected.joined().count > 0)
        #expect(try cues(Media(.bytes(bytes))) == expected)
        #expect(try cues(Media(.source(Slice(bytes)))) == expected)
        var options = Media.Options()
        options.ioBlock = 4096
        options.maxReadRate = 1 << 30
        #expect(try cues(Media(.source(Slice(bytes)), options: options)) == expected)
        // A source may return fewer bytes than requested.
        let meager = HostileSource(bytes, .atMost(1000))
        #expect(try cues(Media(.source(meager))) == expected)
    }

    @Test func asynchronousFunctionsReadSources() async throws {
        let bytes = try fixtureBytes("containers/movie.mkv")
        let media = try await Media.open(.source(Slice(bytes)))
        var count = 0
        for try await _ in media.subtitleTracks[0].cues() { count += 1 }
        let file = try await Media.open(.bytes(bytes, name: "movie.mkv"))
        #expect(count > 0)
        #expect(count == (try cues(file)[0].count))
        #expect(file.input.stem == "movie")
    }

    @Test func requestsAndBytesAreCounted() throws {
        for name in ["containers/movie.mkv", "containers/movie.ts"] {
            let bytes = try fixtureBytes(name)
            let source = HostileSource(bytes, .none)
            let media = try Media(.source(source))
            let reader = try media.subtitleTracks[0].cueReader()
            while try reader.next() != nil {}
            let counted = reader.summary.statistics
            #expect(counted.requests == UInt64(source.requests))
            #expect(counted.bytesRead == source.bytesReturned)
            #expect(reader.summary.path == (name.hasSuffix("mkv") ? .index : .walk))
        }
    }

    @Test func aPipeIsReadFromItsDescriptor() throws {
        for name in ["containers/movie.mkv", "containers/movie.ts", "subtitles/captions.vtt"] {
            let descriptor = unsafe open(fixture(name), O_RDONLY)
            try #require(descriptor >= 0)
            defer { close(descriptor) }
            let expected = try cues(Media(fixture(name)))
            let media = try Media(.pipe(descriptor))
            let track = try #require(media.subtitleTracks.first)
            let reader = try track.cueReader()
            var found: [Cue] = []
            while let cue = try reader.next() { found.append(cue) }
            #expect(found.count == expected[0].count)
            // It is still open.
            #expect(fcntl(descriptor, F_GETFD) >= 0)
        }
        #expect(throws: UndertextError.self) { try Media(.pipe(-1)) }
        let folder = unsafe open("/", O_RDONLY)
        defer { close(folder) }
        let error = #expect(throws: UndertextError.self) { try Media(.pipe(folder)) }
        #expect(error?.code == .isDirectory)
    }

    @Test(arguments: names)
    func hostileSourcesDoNoHarm(_ name: String) throws {
        let bytes = try fixtureBytes(name)
        var faults: [HostileSource.Fault] = [
            .tooLong(5), .tooLong(100_000), .endsAt(bytes.count / 2), .endsAt(10),
            .size(.max), .size(UInt64(Int64.max)), .size(UInt64(bytes.count) * 2), .size(1),
            .size(UInt64(bytes.count / 2)), .zeros,
        ]
        faults += [0, 1, 2, 5, 9, 20].map { .failsAfter($0) }
        for fault in faults {
            let source = HostileSource(bytes, fault)
            var options = Media.Options()
            options.limits.textFileSize = 1 << 20
            do throws(UndertextError) {
                let media = try Media(.source(source), options: options)
                for track in media.subtitleTracks {
                    guard track.refusal == nil else { continue }
                    let reader = try track.cueReader()
                    while try reader.next() != nil {}
                }
                if case .failsAfter(let count) = fault { #expect(source.requests <= count) }
            } catch {
                if case .failsAfter = fault {
                    #expect([.io, .notMedia, .malformed].contains(error.code), "\(error)")
                }
            }
            // Requests stay within the size that the source states, and results have the requested size.
            #expect(source.isAskedWithinItsSize, "\(fault)")
        }
    }

    @Test func errorsOfASourceArePassedOn() throws {
        let bytes = try fixtureBytes("containers/movie.mkv")
        let foreign = HostileSource(bytes, .failsAfter(0))
        var error = #expect(throws: UndertextError.self) { try Media(.source(foreign)) }
        #expect(error?.code == .io)
        #expect(error?.underlying == "Failure()")
        let own = HostileSource(bytes, .stops)
        error = #expect(throws: UndertextError.self) { try Media(.source(own)) }
        #expect(error?.code == .cancelled)
        error = #expect(throws: UndertextError.self) { try Media(.source(Slice([]))) }
        #expect(error?.code == .empty)
        error = #expect(throws: UndertextError.self) { try Media(.bytes([])) }
        #expect(error?.code == .empty)
        var options = Media.Options()
        options.cancellation = Cancellation()
        options.cancellation?.cancel()
        error = #expect(throws: UndertextError.self) {
            try Media(.source(Slice(bytes)), options: options)
        }
        #expect(error?.code == .cancelled)
    }

    @Test(arguments: names)
    func anEndBeforeTheSizeIsAnError(_ name: String) throws {
        let bytes = try fixtureBytes(name)
        let source = HostileSource(bytes, .endsAt(bytes.count / 2))
        let error = #expect(throws: UndertextError.self) { _ = try cues(Media(.source(source))) }
        #expect(error?.code == .io)
        #expect(error?.message.contains("ended before its size") == true)
    }

    @Test func userAgentsAreOneLine() {
        var options = Media.Options()
        options.userAgent = "Player v1\r\nCookie: a"
        let error = #expect(throws: UndertextError.self) {
            try Media(.url("http://127.0.0.1:9/movie.mkv"), options: options)
        }
        #expect(error?.code == .invalidValue)
    }

    @Test func limitsHold() throws {
        let text = Array("WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n".utf8)
        var options = Media.Options()
        options.limits.textFileSize = 20
        let big = HostileSource(text + [UInt8](repeating: 0x0A, count: 1 << 20), .none)
        let error = #expect(throws: UndertextError.self) {
            try Media(.source(big), options: options)
        }
        #expect(error?.code == .limit)
        #expect(big.bytesReturned < 1 << 18)
    }

    @Test(arguments: [
        ("# VobSub index file, v7\nsize: 720x576\n", ".sub"),
        ("<?xml version=\"1.0\"?><BDN Version=\"0.93\"></BDN>", "images"),
        ("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.vtt\n", "playlist"),
        ("<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\"></MPD>", "playlist"),
    ])
    func filesThatNameOthersAreOpenedByPath(_ text: String, _ word: String) throws {
        for input in [
            MediaInput.bytes(Array(text.utf8)), .source(Slice(Array(text.utf8))),
        ] {
            let error = #expect(throws: UndertextError.self) { try Media(input) }
            #expect(error?.code == .nestedOpen)
            #expect(error?.message.contains(word) == true)
        }
    }

    @Test func inputsAreCompared() {
        let (one, other) = (Slice([1]), Slice([1]))
        let inputs: [MediaInput] = [
            .file("a"), .url("a"), .standardInput, .pipe(0), .pipe(1), .bytes([1], name: "a"),
            .bytes([1], name: "b"), .bytes([2], name: "a"), .source(one), .source(other),
        ]
        #expect(Set(inputs).count == inputs.count)
        #expect(MediaInput.source(one) == .source(one))
        #expect(MediaInput(argument: "a") == .file("a"))
        #expect(MediaInput.pipe(3).argument == "/dev/fd/3")
        #expect(MediaInput.source(one).stem == "slice")
    }
}

/// A source that breaks the rules of `ByteSource`.
final class HostileSource: ByteSource, @unchecked Sendable {
    // Unchecked: tests read it from one thread at a time.
    enum Fault {
        case none
        /// No answer is longer.
        case atMost(Int)
        /// Each response has more bytes than requested.
        case tooLong(Int)
        case endsAt(Int)
        case size(UInt64)
        case failsAfter(Int)
        case stops
        case zeros
    }

    private struct Failure: Error {}
    let name = "source"
    private let bytes: [UInt8]
    private let fault: Fault
    private(set) var requests = 0
    private(set) var bytesReturned: UInt64 = 0
    private(set) var isAskedWithinItsSize = true

    init(_ bytes: [UInt8], _ fault: Fault) {
        self.bytes = bytes
        self.fault = fault
    }

    var size: UInt64 {
        if case .size(let size) = fault { size } else { UInt64(bytes.count) }
    }

    func read(at offset: UInt64, count: Int) throws -> [UInt8] {
        if count < 1 || offset >= size || UInt64(count) > size - offset {
            isAskedWithinItsSize = false
        }
        var answer = offset < UInt64(bytes.count) ? bytes[Int(offset)...].prefix(count) : []
        switch fault {
        case .none, .size: break
        case .atMost(let most): answer = answer.prefix(most)
        case .tooLong(let more): answer += [UInt8](repeating: 7, count: more)
        case .endsAt(let end): answer = answer.prefix(max(0, end - Int(offset)))
        case .failsAfter(let most): if requests >= most { throw Failure() }
        case .stops: throw UndertextError(.cancelled, "stopped by the source")
        case .zeros: answer = ArraySlice([UInt8](repeating: 0, count: answer.count))
        }
        requests += 1
        bytesReturned += UInt64(answer.count)
        return Array(answer)
    }
}
