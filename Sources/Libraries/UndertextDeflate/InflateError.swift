/// The reason why compressed bytes could not be inflated.
package enum InflateError: Error, Sendable {
    /// The bytes are no zlib stream, it is cut off, or its checksum does not fit.
    case malformed
    /// The result would be larger than the caller allows.
    case limit
}
