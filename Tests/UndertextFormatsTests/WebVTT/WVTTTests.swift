import TestSupport
import Testing
import UndertextCore

@testable import UndertextFormats

private let box = MP4Builder.box

private func cue(
    _ text: String, id: String = "", settings: String = "", source: Int? = nil, time: String = ""
) -> [UInt8] {
    var parts: [UInt8] = []
    if let source { parts += box("vsid", MP4Builder.words(source)) }
    if !id.isEmpty { parts += box("iden", Array(id.utf8)) }
    if !time.isEmpty { parts += box("ctim", Array(time.utf8)) }
    if !settings.isEmpty { parts += box("sttg", Array(settings.utf8)) }
    return box("vttc", parts, box("payl", Array(text.utf8)))
}

private func sample(_ start: Int64, _ duration: Int64?, _ boxes: [UInt8]...) -> Packet {
    packet(boxes.flatMap { $0 }, pts: start, duration: duration)
}

/// `start+duration id|settings|text` of what comes out, in the order in which it does.
private func unpack(_ samples: [Packet]) -> [String] {
    var unpacker = WVTTUnpacker()
    var packets: [Packet] = []
    for sample in samples { packets += unpacker.add(sample) }
    packets += unpacker.finish()
    return packets.map { packet in
        func side(_ kind: SideData.Kind) -> String {
            String(decoding: packet.sideData(kind) ?? [], as: UTF8.self)
        }
        var line = "\(packet.pts ?? -1)+\(packet.duration.map { "\($0)" } ?? "?")"
        line += " \(side(.webVTTIdentifier))|\(side(.webVTTSettings))|"
        line += String(decoding: packet.data, as: UTF8.self)
        if packet.sideData(.webVTTComment) != nil { line += " <\(side(.webVTTComment))" }
        if packet.sideData(.webVTTTrailer) != nil { line += " >\(side(.webVTTTrailer))" }
        return line
    }
}

@Suite struct WVTTTests {
    private let gap = box("vtte")

    @Test func headersAreInSampleEntries() {
        let header = Array("WEBVTT\n\nSTYLE\n::cue{}".utf8)
        let other: [UInt8] = [0, 0, 0, 9, 0x76, 0x6C, 0x61, 0x62, 1]
        let box = [0, 0, 0, UInt8(header.count + 9)] + Array("vttC".utf8) + header + [0]
        #expect(WVTTUnpacker.description(ofEntry: other + box).codecPrivate == header)
        #expect(WVTTUnpacker.description(ofEntry: other).codecPrivate == [])
        #expect(WVTTUnpacker.description(ofEntry: box.dropLast()).codecPrivate == [])
        let namespace = Array("http://www.w3.org/ns/ttml\0\0image/png\0".utf8)
        #expect(STPPUnpacker.description(ofEntry: namespace).namesImages)
        #expect(!STPPUnpacker.description(ofEntry: namespace.dropLast(10)).namesImages)
    }

    @Test func cuesOfASample() {
        #expect(
            unpack([
                sample(0, 1000, gap),
                sample(1000, 500, cue("a\n", id: "1", settings: "line:0"), cue("b")),
                sample(1500, 500, gap),
            ]) == ["1000+500 1|line:0|a", "1000+500 ||b"])
    }

    @Test func cuesContinueOverSamples() {
        // a 0-3, b 1-2, both cut where the other one begins or ends.
        let whole = ["0+3000 ||a", "1000+1000 ||b"]
        #expect(
            unpack([
                sample(0, 1000, cue("a")), sample(1000, 1000, cue("a"), cue("b")),
                sample(2000, 1000, cue("a")),
            ]) == whole)
        #expect(
            unpack([
                sample(0, 1000, cue("a", source: 1)),
                sample(1000, 1000, cue("b", source: 2), cue("a", source: 1)),
                sample(2000, 1000, cue("a", source: 1)),
            ]) == whole)
        // Two numbers are two cues, and a gap between two is one.
        #expect(
            unpack([
                sample(0, 1000, cue("a", source: 1)), sample(1000, 1000, cue("a", source: 2)),
                sample(3000, 1000, cue("a", source: 2)),
            ]) == ["0+1000 ||a", "1000+1000 ||a", "3000+1000 ||a"])
        // Programs that give all cues one number.
        #expect(
            unpack([sample(0, 1000, cue("a", source: 1)), sample(1000, 1000, cue("b", source: 1))])
                == ["0+1000 ||a", "1000+1000 ||b"])
        // The same text twice on one screen.
        #expect(
            unpack([sample(0, 10, cue("a")), sample(10, 10, cue("a"), cue("a"))])
                == ["0+20 ||a", "10+10 ||a"])
    }

    @Test func withoutDurations() {
        #expect(
            unpack([
                sample(0, nil, cue("a")), sample(1000, nil, cue("a"), cue("b")),
                sample(2000, nil, gap), sample(5000, nil, cue("c")),
            ]) == ["0+2000 ||a", "1000+1000 ||b", "5000+? ||c"])
    }

    @Test func timesWithinCues() {
        #expect(
            unpack([
                sample(1000, 1000, cue("a <00:00:51.500>b", time: "00:00:50.000")),
                sample(2000, 1000, cue("a <00:00:51.500>b", time: "00:00:51.000"), cue("c")),
            ]) == ["1000+2000 ||a <00:00:02.500>b", "2000+1000 ||c"])
        #expect(
            unpack([sample(1000, 1000, cue("a <00:01.500>b"))]) == ["1000+1000 ||a <00:01.500>b"])
    }

    @Test func comments() {
        let note = box("vtta", Array("NOTE one\n\n".utf8))
        #expect(
            unpack([
                sample(0, 10, note, note), sample(10, 10, cue("a")), sample(20, 10, note),
            ]) == ["10+10 ||a <NOTE one\n\nNOTE one"])
        #expect(
            unpack([sample(10, 10, cue("a")), sample(20, 10, note, cue("b")), sample(30, 10, note)])
                == ["10+10 ||a", "20+10 ||b <NOTE one"])
    }

    @Test func damageIsReported() {
        var unpacker = WVTTUnpacker()
        _ = unpacker.add(sample(0, 10, cue("a"), [0, 0, 1, 0, 1]))
        _ = unpacker.add(sample(10, 10, box("vttc", [0, 0, 0, 99])))
        _ = unpacker.add(packet([], pts: nil))
        _ = unpacker.add(packet(Array(repeating: cue("x"), count: 300).flatMap { $0 }))
        #expect(
            unpacker.diagnostics.take().map(\.code) == [
                "damaged-sample", "damaged-sample", "missing-time", "too-many-objects",
            ])
        #expect(unpacker.finish().count == 256)
    }

    @Test func nothingWaitsForEver() {
        var unpacker = WVTTUnpacker()
        _ = unpacker.add(sample(0, 1, cue("long")))
        var most = 0
        for index in 1..<3000 {
            let found = unpacker.add(
                sample(Int64(index), 1, cue("long"), cue("\(index)")))
            most = max(most, found.count)
        }
        #expect(most > 0)
        #expect(unpacker.finish().count <= 1025)
    }

    @Test func damagedSamplesDoNotHurt() {
        let whole =
            cue("a <00:01.500>b", id: "i", settings: "line:0", source: 4, time: "00:00:01.000")
            + box("vtta", Array("NOTE x".utf8)) + cue("c")
        for bytes in Array(truncations(of: whole)) + Array(bitFlips(of: whole, count: 4000)) {
            var unpacker = WVTTUnpacker()
            for index in 0..<3 {
                for packet in unpacker.add(packet(bytes, pts: Int64(index) * 2000)) {
                    #expect((packet.duration ?? 1) > 0)
                }
            }
            #expect(unpacker.finish().count <= 9)
        }
    }
}
