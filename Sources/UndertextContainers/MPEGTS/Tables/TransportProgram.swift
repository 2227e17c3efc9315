/// A program of a transport stream, as its program map table describes it.
///
/// ISO/IEC 13818-1, section 2.4.4.8. FFmpeg: `AVProgram`.
package struct TransportProgram: Hashable, Sendable {
    /// program_number.
    package var number: Int
    /// The PID of its map table.
    package var mapPID: Int
    /// The PID whose packets carry its clock; `nil` until its map was found, or if it has none.
    package var clockPID: Int?
    /// version_number of the map; `nil` until it was found.
    package var version: Int?
    /// The format_identifier of its registration descriptor, such as `HDMV`.
    package var registration: [UInt8]?
    /// Its elementary streams, in the order of the map.
    package var streams: [TransportStream]
    /// Its descriptors.
    package var descriptors: [StreamDescriptor] = []
}

/// An elementary stream of a program.
///
/// FFmpeg: `AVStream`.
package struct TransportStream: Hashable, Sendable {
    /// The PID of its packets.
    package var pid: Int
    /// stream_type: ISO/IEC 13818-1, table 2-34; Blu-ray uses 0x80 and up.
    package var streamType: UInt8
    /// Its descriptors.
    package var descriptors: [StreamDescriptor]
}

/// A descriptor of a program or an elementary stream, undecoded (ISO/IEC 13818-1, section 2.6).
package struct StreamDescriptor: Hashable, Sendable {
    /// descriptor_tag.
    package var tag: UInt8
    /// The bytes after the length.
    package var bytes: [UInt8]
}
