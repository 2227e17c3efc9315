import TestSupport
import Testing
import UndertextCore

@testable import Undertext

/// Units in containers that state a duration for each of them.
@Suite struct DVDUnitTests {
    private static let stream = StreamDescription(
        index: 0, kind: .bitmap, codec: .dvd, timeBase: .milliseconds,
        codecPrivate: Array("size: 96x64\npalette: 000000, ffffff\n".utf8))

    /// The units of a case, each with a length from the container.
    private static func units(of name: String, lasting length: Int64?) throws -> [Packet] {
        let file = try Media(fixture("bitmap/dvd/\(name)/stream.idx"))
        let reader = try file.subtitleTrack(id: 0).packetReader()
        var packets: [Packet] = []
        while var packet = try reader.nextPacket() {
            let start = try #require(packet.start)
            packet.timeBase = .milliseconds
            packet.pts = start.roundedMilliseconds
            packet.duration = length
            packets.append(packet)
        }
        return packets
    }

    private static func cues(_ packets: [Packet]) throws -> [String] {
        let container = ContainerDescription(formatName: "matroska,webm", streams: [stream])
        var decoder = try TrackDecoder(
            stream: stream, mapping: TimelineMapping(view: .player, container: container),
            container: container, forcedOnly: false, limits: Limits(),
            diagnostics: DiagnosticSink())
        let cues = packets.flatMap { decoder.decode($0) } + decoder.finish()
        return cues.map {
            "\($0.start.roundedMilliseconds)-\($0.end.roundedMilliseconds) \($0.endSource)"
        }
    }

    @Test func oneUnitIsShownAtATime() throws {
        #expect(
            try Self.cues(Self.units(of: "no-stop", lasting: 10_000)) == [
                "1000-2500 nextEvent", "2500-4000 nextEvent", "4000-14000 containerDuration",
            ])
        #expect(
            try Self.cues(Self.units(of: "no-stop", lasting: 1000)) == [
                "1000-2000 containerDuration", "2500-3500 containerDuration",
                "4000-5000 containerDuration",
            ])
    }

    /// A missing library is reported, instead of passing a guess for the end.
    @Test func anUnknownEndIsReported() throws {
        let container = ContainerDescription(formatName: "mpegts", streams: [Self.stream])
        let diagnostics = DiagnosticSink()
        var decoder = try TrackDecoder(
            stream: Self.stream, mapping: TimelineMapping(view: .player, container: container),
            container: container, forcedOnly: false, limits: Limits(),
            inputEnd: { () throws(UndertextError) in
                throw UndertextError(.missingLibrary, "libavformat is needed")
            }, diagnostics: diagnostics)
        let cues =
            try Self.units(of: "no-stop", lasting: nil).flatMap { decoder.decode($0) }
            + decoder.finish()
        #expect(cues.last?.endSource == .clamped)
        let found = try #require(diagnostics.take().first { $0.code == "unknown-end" })
        #expect(found.severity == .warning)
        #expect(found.message.contains("libavformat is needed"))
    }
}
