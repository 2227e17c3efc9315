internal import UndertextCore

/// Iterates over the samples of a `trun` (ISO/IEC 14496-12, section 8.8.8).
struct MP4TrackRun {
    /// The fields of a sample; `nil` for those that `tfhd` or `trex` states instead.
    struct Sample {
        var duration: UInt32?
        var size: UInt32?
        /// The composition offset.
        ///
        /// It is signed in version 0, too, against the standard: writers store negative offsets there, and
        /// never the offsets of hours that they would be without a sign.
        var compositionOffset: Int32 = 0
    }

    /// The stated number of samples, which need not exist.
    let count: UInt32
    /// The offset of the data of the first one, relative to the fragment.
    let dataOffset: Int32?
    private let flags: UInt32
    private var reader: ByteReader

    /// Reads the fields before the samples; `nil` if they are truncated.
    init?(_ content: ArraySlice<UInt8>) {
        reader = ByteReader(content)
        guard let flags = reader.uint32(), let count = reader.uint32() else { return nil }
        self.flags = flags
        self.count = count
        if flags & 0x01 != 0 {
            guard let offset = reader.uint32() else { return nil }
            dataOffset = Int32(bitPattern: offset)
        } else {
            dataOffset = nil
        }
        // The flags of the first sample.
        if flags & 0x04 != 0 { _ = reader.uint32() }
    }

    /// `true` if a sample takes bytes of it: otherwise a few bytes could represent four thousand million samples.
    var hasFields: Bool { flags & 0xF00 != 0 }

    /// Returns the fields of the next sample; `nil` if the box is truncated.
    ///
    /// The caller must stop after ``count`` samples.
    mutating func next() -> Sample? {
        var sample = Sample()
        if flags & 0x100 != 0 {
            guard let value = reader.uint32() else { return nil }
            sample.duration = value
        }
        if flags & 0x200 != 0 {
            guard let value = reader.uint32() else { return nil }
            sample.size = value
        }
        if flags & 0x400 != 0, !reader.skip(4) { return nil }
        if flags & 0x800 != 0 {
            guard let value = reader.uint32() else { return nil }
            sample.compositionOffset = Int32(bitPattern: value)
        }
        return sample
    }
}
