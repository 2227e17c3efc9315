internal import UndertextDeflate

/// A transformation of a track's data (RFC 9559, section 5.1.4.1.31).
struct ContentEncoding: Hashable, Sendable {
    /// The transformation of the data.
    enum Kind: Hashable, Sendable {
        /// Compressed with zlib.
        case zlib
        /// Bytes that every frame starts with were left out.
        case headerStripping([UInt8])
        /// One that this reader cannot undo, by its name.
        case unsupported(String)
    }

    /// The transformation of the data.
    var kind: Kind
    /// The encodings are undone from the highest order to the lowest.
    var order: UInt64
    /// `true` if frames are transformed.
    var coversFrames: Bool
    /// `true` if CodecPrivate is transformed.
    var coversPrivate: Bool

    /// The encodings of a ContentEncodings element, in the order in which they are undone.
    static func parse(_ data: ArraySlice<UInt8>) -> [ContentEncoding] {
        var encodings: [ContentEncoding] = []
        for element in ElementCursor(data) where element.id == .contentEncoding {
            encodings.append(ContentEncoding(element))
        }
        // Each layer costs a pass over every block; real files have one or two.
        if encodings.count > 8 { encodings[0].kind = .unsupported("more than eight encodings") }
        return encodings.sorted { $0.order > $1.order }
    }

    /// `true` if nothing in a ContentEncodings element is damaged: without its encodings a track's data is noise.
    static func isWhole(_ data: ArraySlice<UInt8>, depth: Int = 0) -> Bool {
        var cursor = ElementCursor(data)
        while let element = cursor.next() {
            switch element.id {
            case .contentEncoding where depth == 0, .contentCompression where depth == 1:
                guard isWhole(element.data, depth: depth + 1) else { return false }
            case .contentEncodingOrder, .contentEncodingScope, .contentEncodingType,
                .contentEncryption, .contentCompAlgo, .contentCompSettings:
                continue
            default: return false
            }
        }
        return !cursor.isDamaged
    }

    private init(_ element: Element) {
        var type: UInt64 = 0
        var scope: UInt64 = 1
        var algorithm: UInt64 = 0
        var settings: [UInt8] = []
        order = 0
        for child in element.children {
            switch child.id {
            case .contentEncodingOrder: order = child.unsigned ?? 0
            case .contentEncodingScope: scope = child.unsigned ?? 1
            case .contentEncodingType: type = child.unsigned ?? 0
            case .contentCompression:
                for setting in child.children {
                    if setting.id == .contentCompAlgo { algorithm = setting.unsigned ?? 0 }
                    if setting.id == .contentCompSettings { settings = Array(setting.data) }
                }
            default: break
            }
        }
        coversFrames = scope & 1 != 0
        coversPrivate = scope & 2 != 0
        switch (type, algorithm) {
        case (0, 0): kind = .zlib
        case (0, 1): kind = .unsupported("bzip2 compression")
        case (0, 2): kind = .unsupported("LZO compression")
        case (0, 3): kind = .headerStripping(settings)
        case (0, _): kind = .unsupported("compression \(algorithm)")
        case (1, _): kind = .unsupported("encryption")
        default: kind = .unsupported("encoding \(type)")
        }
    }
}

extension [ContentEncoding] {
    /// The name of the first encoding of frames that cannot be undone.
    var unsupportedForFrames: String? {
        for encoding in self where encoding.coversFrames {
            if case .unsupported(let name) = encoding.kind { return name }
        }
        return nil
    }

    /// `frame` as it was before the encodings; `nil` if it is damaged or grows beyond `limit`.
    func decodeFrame(_ frame: ArraySlice<UInt8>, limit: Int) -> [UInt8]? {
        decode(frame, limit: limit, where: \.coversFrames)
    }

    /// CodecPrivate as it was before the encodings; `nil` if it is damaged.
    func decodePrivate(_ data: ArraySlice<UInt8>, limit: Int) -> [UInt8]? {
        decode(data, limit: limit, where: \.coversPrivate)
    }

    private func decode(
        _ data: ArraySlice<UInt8>, limit: Int, where applies: (ContentEncoding) -> Bool
    ) -> [UInt8]? {
        var result = data
        for encoding in self where applies(encoding) {
            switch encoding.kind {
            case .zlib:
                guard let inflated = try? inflate(result, limit: limit) else { return nil }
                result = inflated[...]
            case .headerStripping(let header):
                guard header.count <= limit - Swift.min(limit, result.count) else { return nil }
                result = (header + result)[...]
            case .unsupported: return nil
            }
        }
        return [UInt8](result)
    }
}
