import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// A script file as its reader takes it apart.
struct ReadScript {
    let stream: StreamDescription
    let packets: [Packet]
    let diagnostics: [Diagnostic]
    let files: [EmbeddedFile]

    init(_ bytes: [UInt8], limits: Limits = Limits()) {
        let reader = ASSFileReader(bytes, limits: limits)
        stream = reader.stream
        var packets: [Packet] = []
        while let packet = try? reader.nextPacket() { packets.append(packet) }
        self.packets = packets
        files = reader.embeddedFiles
        diagnostics = reader.diagnostics.take()
    }

    init(_ text: String) { self.init(Array(text.utf8)) }

    /// `CODE LINE:COLUMN` of each diagnostic.
    var notes: [String] { diagnostics.map(positionedCode) }

    /// The lines of the packets: start, end, data.
    var lines: [String] {
        packets.map {
            "\($0.pts ?? -1)-\(($0.pts ?? 0) + ($0.duration ?? 0)) "
                + String(decoding: $0.data, as: UTF8.self)
        }
    }

    /// The output of the native writer for the packets.
    var written: [UInt8] { rewritten { $0 } }

    func rewritten(_ change: (Packet) -> Packet) -> [UInt8] {
        var writer = ASSPacketWriter(
            codecPrivate: stream.codecPrivate, isSSA: stream.codec == .ssa)
        return UndertextFormatsTests.files(&writer, packets.map(change))[0]
    }

    /// The cues of the packets, as the engine would finish them.
    var document: SubtitleDocument {
        var decoder = ASSDecoder(stream: stream)
        var cues: [Cue] = []
        for packet in packets {
            for case .cue(let draft) in decoder.decode(packet) {
                cues.append(draft.cue(order: cues.count))
            }
        }
        return SubtitleDocument(header: decoder.header, cues: cues)
    }
}

/// The script that the writer makes of a document.
func script(_ document: SubtitleDocument, _ kind: ASSWriter.Kind = .ass) -> String {
    var writer = ASSWriter(kind, header: document.header)
    return text(&writer, document.cues)
}

extension SubtitleDocument {
    /// The same cues as from nowhere: nothing of a script is kept.
    var withoutSource: SubtitleDocument {
        var copy = self
        copy.header = SubtitleHeader(canvas: header.canvas)
        for index in copy.cues.indices { copy.cues[index].source = nil }
        return copy
    }
}

/// The bytes of a text without a byte order mark.
func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
}

/// The events of a script: what follows its Format line.
func events(_ script: String) -> [String] {
    let lines = script.utf8.split { $0 == 0x0A || $0 == 0x0D }.map { String($0) ?? "" }
    return lines.filter { $0.hasPrefix("Dialogue:") }
}
