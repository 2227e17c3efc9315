import TestSupport
import Testing
import UndertextCore
import UndertextFormats

/// The result of reading a text file.
struct ReadTextFile {
    var stream: StreamDescription
    var packets: [Packet] = []
    var diagnostics: [Diagnostic] = []

    /// Reads a file; a byte order mark is taken off as the engine does it.
    init<Reader: TextFileReader>(
        _ type: Reader.Type, _ bytes: [UInt8], limits: Limits = Limits()
    ) throws {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
        let reader = Reader(text, limits: limits, diagnostics: DiagnosticSink())
        stream = reader.stream
        var position = reader.position
        while let packet = try reader.nextPacket() {
            packets.append(packet)
            if let place = packet.position { #expect(place <= text.count) }
            diagnostics += reader.diagnostics.take()
            #expect(reader.position >= position && reader.position <= text.count)
            position = reader.position
        }
        #expect(try reader.nextPacket() == nil)
        diagnostics += reader.diagnostics.take()
        #expect(reader.diagnostics.take().isEmpty)
    }

    /// The packets without their positions, which differ between files with the same content.
    var contents: [Packet] {
        packets.map { packet in
            var packet = packet
            packet.position = nil
            return packet
        }
    }

    /// `start duration text` of each packet; `?` for a duration that is not known.
    var lines: [String] {
        packets.map {
            "\($0.pts ?? -1) \($0.duration.map { "\($0)" } ?? "?") "
                + String(decoding: $0.data, as: UTF8.self).replacing("\n", with: "|")
        }
    }

    /// `CODE LINE:COLUMN` of each diagnostic, or `CODE` for those without a position.
    var notes: [String] { diagnostics.map(positionedCode) }

    /// The side data of a packet as text.
    func side(_ kind: SideData.Kind, _ index: Int) -> String? {
        packets[index].sideData(kind).map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The code and the position in a text file, for which diagnostics have no property.
func positionedCode(_ diagnostic: Diagnostic) -> String {
    diagnostic.message.statedPosition.map { "\(diagnostic.code) \($0)" } ?? diagnostic.code
}

func readWebVTT(_ text: String, limits: Limits = Limits()) throws -> ReadTextFile {
    try ReadTextFile(WebVTTFileReader.self, Array(text.utf8), limits: limits)
}

func readSubRip(_ text: String, limits: Limits = Limits()) throws -> ReadTextFile {
    try ReadTextFile(SubRipFileReader.self, Array(text.utf8), limits: limits)
}
