/// Puts the sections of one PID together from its packets (ISO/IEC 13818-1, section 2.4.4).
struct SectionAssembler {
    /// A section has 4096 bytes at most.
    static let maximumLength = 4096

    private var buffer: [UInt8] = []
    private var isWaiting = true
    private var lastContinuity: UInt8?
    /// Broken sections in a row since the last whole one.
    private var brokenInARow = 0
    /// Some senders never compute the check sum: then their sections are taken all the same.
    private static let brokenUntilTrusted = 10
    private var hasSeenWhole = false

    /// Adds a packet of the PID and appends the sections that are complete.
    mutating func push(
        _ header: TransportHeader, _ bytes: [UInt8], to sections: inout [ArraySlice<UInt8>]
    ) {
        guard !header.isVoid, header.hasPayload else { return }
        var isContinuous = true
        if let lastContinuity, !header.isDiscontinuous {
            isContinuous = header.continuity == (lastContinuity + 1) & 0x0F
        }
        lastContinuity = header.continuity
        var payload = bytes[header.payload]
        guard header.isStart else {
            if isContinuous { append(payload, to: &sections) }
            return
        }
        guard let pointer = payload.popFirst().map(Int.init), pointer <= payload.count else {
            return
        }
        if pointer > 0, isContinuous { append(payload.prefix(pointer), to: &sections) }
        payload = payload.dropFirst(pointer)
        guard !payload.isEmpty else { return }
        buffer.removeAll(keepingCapacity: true)
        isWaiting = false
        append(payload, to: &sections)
    }

    private mutating func append(
        _ bytes: ArraySlice<UInt8>, to sections: inout [ArraySlice<UInt8>]
    ) {
        guard !isWaiting else { return }
        buffer += bytes.prefix(max(0, Self.maximumLength - buffer.count))
        var start = 0
        // 0xFF in place of table_id means that only stuffing follows.
        while start < buffer.count, buffer[start] != 0xFF {
            guard buffer.count - start >= 3 else { break }
            let length = (Int(buffer[start + 1] & 0x0F) << 8 | Int(buffer[start + 2])) + 3
            guard length <= Self.maximumLength else {
                isWaiting = true
                return
            }
            guard buffer.count - start >= length else { break }
            let section = buffer[start..<start + length]
            if isAcceptable(section) { sections.append(section) }
            start += length
        }
        buffer.removeFirst(start)
        if buffer.isEmpty || buffer[0] == 0xFF { isWaiting = true }
    }

    private mutating func isAcceptable(_ section: ArraySlice<UInt8>) -> Bool {
        if SectionCheckSum.holds(for: section) {
            hasSeenWhole = true
            return true
        }
        guard !hasSeenWhole else { return false }
        brokenInARow += 1
        return brokenInARow > Self.brokenUntilTrusted
    }
}
