internal import UndertextContainers
internal import UndertextFormats

/// Reads by the first of several paths that works, and by the next one from where it turns out to
/// be wrong.
///
/// What was found correctly has been handed out already; the next path leaves out these very blocks,
/// so nobody who pulls packets notices the change.
final class FallbackPacketReader: DemuxerReader, PlainCueReader {
    /// A path that may be taken.
    struct Path {
        /// Which it is.
        var path: ReadPath
        /// Opens its reader; the code `unsupported` means that the next path is to be taken.
        var open: () throws(UndertextError) -> any PacketReader
    }

    /// How packets are found now.
    private(set) var path: ReadPath
    /// Paths that were not taken or given up, and why.
    private(set) var refused: [ReadSummary.Refusal]

    private var reader: any PacketReader
    private var later: ArraySlice<Path>
    private let indexProof: String?
    private let readStatistics: () -> ReadStatistics
    private let readLosses: (_ isWhole: Bool) -> [Diagnostic]
    /// What came out by paths before this one.
    private var handedOut = HandedOutPlaces()
    /// What came out so far, as long as another path may follow.
    private var given = HandedOutPlaces()
    private var diagnostics: [Diagnostic] = []

    /// Opens the first of `paths` that works; the error of the last one is thrown.
    init(
        _ paths: [Path], refused: [ReadSummary.Refusal] = [], proof: String? = nil,
        statistics: @escaping () -> ReadStatistics = { .init() },
        losses: @escaping (_ isWhole: Bool) -> [Diagnostic] = { _ in [] }
    ) throws(UndertextError) {
        self.refused = refused
        indexProof = proof
        readStatistics = statistics
        readLosses = losses
        later = paths[...]
        (path, reader) = try Self.open(&later, &self.refused)
    }

    private static func open(
        _ later: inout ArraySlice<Path>, _ refused: inout [ReadSummary.Refusal]
    ) throws(UndertextError) -> (ReadPath, any PacketReader) {
        while let next = later.popFirst() {
            do throws(UndertextError) {
                return (next.path, try next.open())
            } catch {
                // With a window the index is read, and may be found wrong, before the first packet.
                let mayGoOn = error.code == .unsupported || error.code == .indexMismatch
                guard mayGoOn, !later.isEmpty else { throw error }
                refused.append(.init(path: next.path, reason: error.message))
            }
        }
        throw UndertextError(.unsupported, "there is no way to read it")
    }

    func nextPacket() throws(UndertextError) -> Packet? {
        while true {
            do throws(UndertextError) {
                guard let packet = try reader.nextPacket() else { return nil }
                if handedOut.contains(packet) { continue }
                if path == .index, !later.isEmpty { given.insert(packet) }
                return packet
            } catch {
                guard error.code == .indexMismatch, !later.isEmpty, !given.isOverfull else {
                    throw error
                }
                diagnostics += reader.takeDiagnostics()
                refused.append(.init(path: path, reason: error.message))
                handedOut = given.sorted()
                given = HandedOutPlaces()
                (path, reader) = try Self.open(&later, &refused)
            }
        }
    }

    var proof: String? { path == .index ? indexProof : nil }

    var statistics: ReadStatistics { readStatistics() }

    func losses(isWhole: Bool) -> [Diagnostic] { readLosses(isWhole) }

    /// Cues that need no decoding; `nil` where the next packet is to be taken.
    func nextPlainCues(atMost most: Int) -> PlainCues? {
        (reader as? any PlainCueReader)?.nextPlainCues(atMost: most)
    }

    func takeDiagnostics() -> [Diagnostic] {
        defer { diagnostics = [] }
        return diagnostics + reader.takeDiagnostics()
    }
}
