/// A Block or SimpleBlock with what its BlockGroup says (RFC 9559, section 5.1.3.5).
struct StoredBlock: Hashable, Sendable {
    /// BlockAdditional with its BlockAddID.
    struct Addition: Hashable, Sendable {
        var id: UInt64
        var data: ArraySlice<UInt8>
    }

    /// The data of the Block or SimpleBlock.
    var data: ArraySlice<UInt8>
    /// The offset of ``data`` in the source.
    var position: UInt64
    /// Whether it stands without a group.
    var isSimple: Bool
    /// BlockDuration in ticks.
    var duration: UInt64?
    /// Whether it refers to other blocks.
    var hasReferences = false
    var additions: [Addition] = []
    /// The only frame with its encodings undone, where that has been done already.
    var decodedFrame: [UInt8]?

    /// Bytes that it holds in memory.
    var byteCount: Int { data.count + (decodedFrame?.count ?? 0) }

    init(data: ArraySlice<UInt8>, position: UInt64, isSimple: Bool) {
        self.data = data
        self.position = position
        self.isSimple = isSimple
    }

    /// Reads the data of a BlockGroup that lies at `position`; `nil` if it holds no Block.
    init?(group: ArraySlice<UInt8>, at position: UInt64) {
        var block: StoredBlock?
        for element in ElementCursor(group) where element.id == .block {
            let offset = element.data.startIndex - group.startIndex
            block = StoredBlock(
                data: element.data, position: position + UInt64(offset), isSimple: false)
        }
        guard let block else { return nil }
        self = block
        for element in ElementCursor(group) { take(element) }
    }

    /// Whether the data of a BlockGroup is elements to its end: a wrong size of its Block shows there.
    static func isWhole(group: ArraySlice<UInt8>) -> Bool {
        var children = ElementCursor(group)
        while children.next() != nil {}
        return !children.isDamaged
    }

    /// Takes over what an element of the group says.
    mutating func take(_ element: Element) {
        switch element.id {
        case .blockDuration: duration = element.unsigned
        case .referenceBlock: hasReferences = true
        case .blockAdditions:
            for more in element.children where more.id == .blockMore { takeAddition(more) }
        default: break
        }
    }

    private mutating func takeAddition(_ more: Element) {
        // BlockAddID is 1 unless stated (section 5.1.3.5.2.3).
        var addition = Addition(id: 1, data: [])
        for element in more.children {
            if element.id == .blockAddID { addition.id = element.unsigned ?? 1 }
            if element.id == .blockAdditional { addition.data = element.data }
        }
        if !addition.data.isEmpty { additions.append(addition) }
    }
}
