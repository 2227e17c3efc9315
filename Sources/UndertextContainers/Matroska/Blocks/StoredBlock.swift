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
    /// `true` if it is outside a BlockGroup.
    var isSimple: Bool
    /// BlockDuration in ticks.
    var duration: UInt64?
    /// `true` if it refers to other blocks.
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

    /// Reads the data of a BlockGroup that lies at `position`.
    ///
    /// `nil` if it holds no Block, or is not elements to its end: a wrong size of its Block shows there.
    init?(group: ArraySlice<UInt8>, at position: UInt64) {
        self.init(data: [], position: position, isSimple: false)
        var hasBlock = false
        let bytes = group.span
        var children = SpanCursor(end: bytes.count)
        while let child = children.next(bytes) {
            let id = ElementID(child.id)
            switch id {
            case .block:
                data = group[group.startIndex + child.start..<group.startIndex + child.end]
                self.position = position + UInt64(child.start)
                hasBlock = true
            case .blockDuration: duration = child.unsigned(bytes)
            case .blockAdditions, .referenceBlock:
                let data = group[group.startIndex + child.start..<group.startIndex + child.end]
                take(Element(id: id, data: data, offset: 0))
            default: break
            }
        }
        guard hasBlock, !children.isDamaged else { return nil }
    }

    /// Applies an element of the group.
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
