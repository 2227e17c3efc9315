internal import Containers

/// Reads by the index, and by a scan from where the index turns out to be wrong.
///
/// What the index named correctly has been handed out already; the scan leaves it out by its place
/// in the file, so nobody who pulls packets notices the change.
final class FallingBackReader: PacketReader {
    /// How packets are found now.
    private(set) var path: ReadPath
    /// Why the index was given up.
    private(set) var refusal: ReadSummary.Refusal?

    private var reader: any PacketReader
    private let openScan: (() throws(MediaError) -> any PacketReader)?
    /// The place of the last packet of each stream that came out.
    private var lastPlace: [Int: UInt64] = [:]
    private var diagnostics: [Diagnostic] = []

    init(
        _ reader: any PacketReader, path: ReadPath,
        openScan: (() throws(MediaError) -> any PacketReader)? = nil
    ) {
        self.reader = reader
        self.path = path
        self.openScan = openScan
    }

    func nextPacket() throws(MediaError) -> Packet? {
        while true {
            do throws(MediaError) {
                guard let packet = try reader.nextPacket() else { return nil }
                if path == .index {
                    lastPlace[packet.streamIndex] = packet.position
                } else if wasHandedOut(packet) {
                    continue
                }
                return packet
            } catch {
                guard path == .index, error.code == .indexMismatch, let openScan else {
                    throw error
                }
                diagnostics += reader.takeDiagnostics()
                refusal = .init(path: .index, reason: error.message)
                reader = try openScan()
                path = .scan
            }
        }
    }

    func takeDiagnostics() -> [Diagnostic] {
        defer { diagnostics = [] }
        return diagnostics + reader.takeDiagnostics()
    }

    private func wasHandedOut(_ packet: Packet) -> Bool {
        guard let last = lastPlace[packet.streamIndex], let position = packet.position else {
            return false
        }
        return position <= last
    }
}
