internal import UndertextCore

/// Finds the next cluster after damage.
struct ClusterSearch {
    private let window: SourceWindow
    /// Read at once while searching.
    private static let step = 64 << 10
    private static let mark: [UInt8] = [0x1F, 0x43, 0xB6, 0x75]

    init(window: SourceWindow) { self.window = window }

    /// The first place from `start` on that looks like a cluster; `nil` if there is none.
    func next(from start: UInt64) throws(UndertextError) -> UInt64? {
        var position = start
        while position < window.end, window.end - position > UInt64(Self.mark.count) {
            window.keep(from: position)
            let bytes = try window.bytes(at: position, count: Self.step)
            guard bytes.count >= Self.mark.count else { return nil }
            var rest = bytes
            while let place = Self.find(in: rest) {
                let found = position + UInt64(place - bytes.startIndex)
                if try isCluster(at: found) { return found }
                rest = bytes[(place + 1)...]
            }
            // The identifier may begin in the last three bytes.
            position += UInt64(bytes.count - Self.mark.count + 1)
        }
        return nil
    }

    /// `true` if a cluster starts there: identifier, size, and a child that belongs into it.
    func isCluster(at position: UInt64) throws(UndertextError) -> Bool {
        guard let header = try window.element(at: position, before: window.end, ahead: Self.step),
            header.id == .cluster
        else { return false }
        let end = min(header.end ?? window.end, window.end)
        guard let child = try window.element(at: header.dataStart, before: end),
            let size = child.size, let childEnd = child.end,
            childEnd <= header.end ?? .max
        else { return false }
        return child.id.belongsToCluster && (child.id != .timestamp || size <= 8)
    }

    private static func find(in bytes: ArraySlice<UInt8>) -> Int? {
        let last = bytes.endIndex - mark.count
        var place = bytes.startIndex
        while place <= last {
            if bytes[place] == 0x1F, bytes[place + 1] == 0x43, bytes[place + 2] == 0xB6,
                bytes[place + 3] == 0x75
            {
                return place
            }
            place += 1
        }
        return nil
    }
}
