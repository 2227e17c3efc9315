internal import UndertextCore

/// Writes the subtitles of an EBU STL file as they are stored.
///
/// The header is that of the file, with the numbers of the blocks, subtitles and groups that are written.
struct EBUSTLPacketWriter: PacketWriter {
    /// One file.
    let fileExtensions = ["stl"]
    /// Number of subtitles accepted so far.
    private(set) var cueCount = 0
    /// The sink of diagnostics.
    let diagnostics: DiagnosticSink

    private let header: [UInt8]
    /// The blocks, which the numbers in the header come before.
    private var blocks: [UInt8] = []
    private var groups: Set<UInt8> = []

    /// Creates a writer for `stream`, whose private data is the GSI block.
    init(stream: StreamDescription, diagnostics: DiagnosticSink = .init()) {
        self.diagnostics = diagnostics
        header = stream.codecPrivate
    }

    /// Writes nothing yet.
    mutating func begin(into output: inout [[UInt8]]) {}

    /// Holds a subtitle back.
    mutating func write(_ packet: Packet, into output: inout [[UInt8]]) {
        guard let block = EBUSTLBlock(packet.data[...]) else {
            diagnostics.report(
                .error, "truncated", "a subtitle is shorter than a block", for: packet)
            return
        }
        cueCount += 1
        groups.insert(block.group)
        blocks += packet.data.prefix(packet.data.count / EBUSTLBlock.size * EBUSTLBlock.size)
    }

    /// Writes the file.
    mutating func finish(into output: inout [[UInt8]]) {
        guard !output.isEmpty, cueCount > 0 else { return }
        var information = EBUSTLHeaderWriter(header)
        information.setCounts(
            blocks: blocks.count / EBUSTLBlock.size, subtitles: cueCount, groups: groups.count)
        output[0] += information.bytes + blocks
        blocks = []
    }
}
