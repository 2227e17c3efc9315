internal import UndertextCore

/// The samples that consist of parts: a document and its images.
///
/// ISO/IEC 14496-12, section 8.7.7, `subs`.
struct MP4Subsamples: Hashable {
    /// The lengths of the parts by the number of the sample, from 0.
    private(set) var parts: [Int: [UInt32]] = [:]

    /// Nothing has parts.
    init() {}

    /// Reads the content of the box.
    init(_ content: ArraySlice<UInt8>) {
        var reader = ByteReader(content)
        guard let version = reader.uint8(), reader.skip(3), let count = reader.uint32() else {
            return
        }
        // Numbers count from 1, each from the one before.
        var number = -1
        for _ in 0..<count {
            guard let step = reader.uint32(), let partCount = reader.uint16() else { return }
            number += Int(step)
            var sizes: [UInt32] = []
            for _ in 0..<partCount {
                guard
                    let size = version == 1 ? reader.uint32() : reader.uint16().map(UInt32.init),
                    reader.skip(6)
                else { return }
                sizes.append(size)
            }
            if !sizes.isEmpty { parts[number] = sizes }
        }
    }
}
