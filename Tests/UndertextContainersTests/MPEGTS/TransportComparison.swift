import TestSupport
import Testing
import UndertextContainers
import UndertextCore
import UndertextFFmpeg

/// The packets that our reader and libavformat return for the same bytes.
struct TransportComparison {
    var ours: [Packet] = []
    var theirs: [Packet] = []
    var diagnostics: [Diagnostic] = []
    /// The reason why our reader refused the file.
    var refusal: String?
    var bytesRead: UInt64 = 0

    /// Reads all subtitle streams that libavformat finds; `nil` if it does not take the bytes for a
    /// transport stream.
    init?(_ bytes: [UInt8], limits: Limits = Limits()) throws {
        // Otherwise damage fills the output of the tests.
        FFmpegLog.install()
        guard let demuxer = try? FFmpegDemuxer(.source(MemorySource(bytes, name: "test.ts"))),
            demuxer.description.formatName == "mpegts"
        else { return nil }
        let subtitles = demuxer.description.streams.filter(\.kind.isSubtitle)
        demuxer.select(Set(subtitles.map(\.index)))
        while let packet = try? demuxer.nextPacket() { theirs.append(packet) }
        let source = MemorySource(bytes)
        guard let file = try? TransportStreamFile(source: source, limits: limits) else {
            refusal = "no transport stream"
            return
        }
        refusal = file.refusal(for: subtitles)
        guard refusal == nil else { return }
        let reader = try file.packetReader(for: subtitles)
        while let packet = try reader.nextPacket() {
            ours.append(packet)
            diagnostics += reader.diagnostics.take()
        }
        diagnostics += reader.diagnostics.take()
        bytesRead = source.statistics.bytesRead
    }

    /// Both must have given the same packets in the same order; how many there were.
    @discardableResult
    func expectEqual(
        _ name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) -> Int {
        #expect(refusal == nil, "\(name)", sourceLocation: sourceLocation)
        #expect(ours.count == theirs.count, "\(name)", sourceLocation: sourceLocation)
        for (left, right) in zip(ours, theirs) where left != right {
            Issue.record(
                "\(name): \(describe(left)) is not \(describe(right))",
                sourceLocation: sourceLocation)
            break
        }
        return ours.count
    }

    /// Of a damaged file both may give different parts: what both have is equal, and what only
    /// libavformat has was announced as damage.
    func expectCompatible(
        _ name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard refusal == nil else { return }
        var unmatched = ours
        var missing: [Packet] = []
        for packet in theirs where !packet.isCorrupt {
            if let index = unmatched.firstIndex(of: packet) {
                unmatched.remove(at: index)
            } else {
                missing.append(packet)
            }
        }
        guard !missing.isEmpty else { return }
        let isTold = !diagnostics.isEmpty || ours.contains(where: \.isCorrupt)
        #expect(
            isTold, "\(name): \(missing.map(describe)) is missing without a word",
            sourceLocation: sourceLocation)
        // Where synchronization was lost, packets with the clock may have reached only one of the two.
        let hasLostClocks = diagnostics.contains { $0.code == "lost-sync" }
        for packet in missing where !hasLostClocks {
            let twins = unmatched.filter {
                $0.streamIndex == packet.streamIndex && $0.position == packet.position
                    && !$0.isCorrupt
            }
            guard !twins.isEmpty else { continue }
            Issue.record(
                "\(name): \(twins.map(describe)) is not \(describe(packet))",
                sourceLocation: sourceLocation)
        }
    }
}

private func describe(_ packet: Packet) -> String {
    let sum = packet.data.reduce(UInt32(0)) { $0 &* 31 &+ UInt32($1) }
    func text<Value>(_ value: Value?) -> String { value.map { "\($0)" } ?? "none" }
    return "#\(packet.streamIndex) pts \(text(packet.pts)) dts \(text(packet.dts)) "
        + "duration \(text(packet.duration)) at \(text(packet.position)) "
        + "\(packet.data.count) bytes \(sum) \(packet.data.prefix(4)) key \(packet.isKey) "
        + "corrupt \(packet.isCorrupt) \(packet.sideData.map { "\($0.kind.rawValue) \($0.bytes)" })"
}
