internal import UndertextCore

/// The rest of a timing line after the times.
enum SubRipLineEnd: Equatable {
    /// Nothing.
    case empty
    /// `X1:… X2:… Y1:… Y2:…`: the rectangle as side data, 4 × 32 bit little-endian x1 y1 x2 y2.
    case coordinates([UInt8])
    /// Something like coordinates that has not all four of them.
    case badCoordinates
    /// Settings of WebVTT, which have no meaning here.
    case settings
    /// Other text, which belongs to the next line.
    case text

    /// Looks at what follows the times.
    init(_ bytes: ArraySlice<UInt8>) {
        guard !bytes.isEmpty else {
            self = .empty
            return
        }
        let tokens = bytes.prefix(1024).split(whereSeparator: \.isSpace)
        if tokens.contains(where: Self.isCoordinateName) {
            self = Self.coordinates(bytes).map { .coordinates($0) } ?? .badCoordinates
        } else if tokens.allSatisfy(Self.isSetting) {
            self = .settings
        } else {
            self = .text
        }
    }

    private static let names = ["X1", "Y1", "X2", "Y2"].map { Array($0.utf8) }
    private static let settingNames = [
        "vertical:", "line:", "position:", "size:", "align:", "region:",
    ]

    private static func isCoordinateName(_ token: ArraySlice<UInt8>) -> Bool {
        token.count >= 3 && token[token.startIndex + 2] == Byte.colon
            && names.contains(Array(token.prefix(2)))
    }

    private static func isSetting(_ token: ArraySlice<UInt8>) -> Bool {
        settingNames.contains { token.starts(with: $0.utf8) }
    }

    /// The four numbers in any order, each after its name and a colon.
    private static func coordinates(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var values = [Int32?](repeating: nil, count: 4)
        var index = bytes.startIndex
        func skipSpace() {
            while index < bytes.endIndex, bytes[index].isSpace { index += 1 }
        }
        while true {
            skipSpace()
            guard index < bytes.endIndex else { break }
            guard index + 2 < bytes.endIndex,
                let place = names.firstIndex(of: Array(bytes[index..<index + 2])),
                bytes[index + 2] == Byte.colon
            else { return nil }
            index += 3
            skipSpace()
            let isNegative = index < bytes.endIndex && bytes[index] == Byte.hyphen
            if isNegative { index += 1 }
            let start = index
            var value: Int32 = 0
            while index < bytes.endIndex, bytes[index].isDigit {
                if value < 100_000_000 { value = value * 10 + Int32(bytes[index] &- 0x30) }
                index += 1
            }
            guard index > start else { return nil }
            values[place] = isNegative ? -value : value
        }
        var data: [UInt8] = []
        for value in values {
            guard let value else { return nil }
            for shift in [0, 8, 16, 24] as [Int32] {
                data.append(UInt8(truncatingIfNeeded: value >> shift))
            }
        }
        return data
    }
}
