internal import UndertextDeflate

/// Undoes the compression of a progressive_pixel_block (EN 300 743, section 7.2.5.3).
///
/// The data are a zlib stream as PNG has it. The form of rows follows from the size of the result: a byte
/// or the region's number of bits a pixel, with PNG's filter type before each row or without.
enum DVBProgressiveBlock {
    /// The reason why there are no pixels.
    enum Failure: Error, Hashable, Sendable {
        /// Larger than the limit allows.
        case tooLarge
        /// Not a zlib stream, or fewer pixels than stated.
        case malformed
    }

    /// The pixels.
    ///
    /// - Throws: `Failure`.
    static func plane(
        _ data: ArraySlice<UInt8>, width: Int, height: Int, depth: DVBPixelDepth, limit: Int
    ) throws(Failure) -> IndexPlane {
        guard (1...max(1, limit)).contains(width), (1...max(1, limit)).contains(height) else {
            throw .tooLarge
        }
        let rows: [UInt8]
        do {
            rows = try inflate(data, limit: (width + 1) * height)
        } catch {
            throw error == .limit ? .tooLarge : .malformed
        }
        let packed = (width * depth.bits + 7) / 8
        let indices: [UInt8]?
        switch rows.count {
        case width * height: indices = rows
        case (width + 1) * height: indices = unfiltered(rows, rowSize: width)
        case packed * height: indices = unpacked(rows, width: width, rowSize: packed, depth)
        case (packed + 1) * height:
            indices = unfiltered(rows, rowSize: packed).map {
                unpacked($0, width: width, rowSize: packed, depth)
            }
        default: indices = nil
        }
        guard let indices,
            let plane = IndexPlane(
                width: width, height: height, indices: indices.map { $0 & depth.mask })
        else { throw .malformed }
        return plane
    }

    /// A byte for each code of fewer bits, the first pixel in the upper bits.
    private static func unpacked(
        _ rows: [UInt8], width: Int, rowSize: Int, _ depth: DVBPixelDepth
    ) -> [UInt8] {
        let perByte = 8 / depth.bits
        var codes: [UInt8] = []
        codes.reserveCapacity(rows.count * perByte)
        for start in stride(from: 0, to: rows.count, by: max(1, rowSize)) {
            for x in 0..<width {
                let shift = 8 - depth.bits * (x % perByte + 1)
                codes.append(rows[start + x / perByte] >> UInt8(shift) & depth.mask)
            }
        }
        return codes
    }

    /// Undoes PNG's filters for pixels of a byte (ISO/IEC 15948, section 9.2); `nil` for a type
    /// that does not exist.
    private static func unfiltered(_ rows: [UInt8], rowSize: Int) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(rows.count)
        var above = [UInt8](repeating: 0, count: rowSize)
        for start in stride(from: 0, to: rows.count, by: rowSize + 1) {
            var row = Array(rows[start + 1..<start + 1 + rowSize])
            guard rows[start] <= 4 else { return nil }
            for x in row.indices {
                let left = x > 0 ? Int(row[x - 1]) : 0
                let up = Int(above[x])
                let predicted =
                    switch rows[start] {
                    case 1: left
                    case 2: up
                    case 3: (left + up) / 2
                    case 4: paeth(left, up, x > 0 ? Int(above[x - 1]) : 0)
                    default: 0
                    }
                row[x] &+= UInt8(truncatingIfNeeded: predicted)
            }
            result += row
            above = row
        }
        return result
    }

    private static func paeth(_ left: Int, _ up: Int, _ corner: Int) -> Int {
        let estimate = left + up - corner
        let distances = (abs(estimate - left), abs(estimate - up), abs(estimate - corner))
        if distances.0 <= distances.1, distances.0 <= distances.2 { return left }
        return distances.1 <= distances.2 ? up : corner
    }
}
