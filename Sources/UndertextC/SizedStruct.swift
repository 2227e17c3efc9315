internal import CUndertext
internal import UndertextCore

/// A C struct that begins with its size.
///
/// Programs that were compiled with an earlier header have a shorter struct: only its bytes are read or written.
protocol SizedStruct {
    /// The size of the struct in the header of the caller.
    var size: Int { get set }
    /// Creates a struct of zeros.
    init()
}

extension undertext_error: SizedStruct {}
extension undertext_media_options: SizedStruct {}
extension undertext_io: SizedStruct {}
extension undertext_text_info: SizedStruct {}
extension undertext_track: SizedStruct {}
extension undertext_cue_info: SizedStruct {}
extension undertext_image: SizedStruct {}
extension undertext_output: SizedStruct {}
extension undertext_extract_options: SizedStruct {}
extension undertext_model_options: SizedStruct {}
extension undertext_subtitle: SizedStruct {}
extension undertext_geometry: SizedStruct {}
extension undertext_overlay: SizedStruct {}

/// Writes to a struct of the caller, except for members that its header lacks.
///
/// - Returns: `UNDERTEXT_STATUS_OK`, or `UNDERTEXT_STATUS_INVALID_ARGUMENT` for NULL or a struct whose size is not set.
func write<Struct: SizedStruct>(
    _ value: Struct, to target: UnsafeMutablePointer<Struct>?
) -> undertext_status {
    guard let target = unsafe target, let size = unsafe knownSize(UnsafePointer(target)) else {
        return UNDERTEXT_STATUS_INVALID_ARGUMENT
    }
    var value = value
    value.size = unsafe target.pointee.size
    unsafe withUnsafeBytes(of: &value) { bytes in
        unsafe UnsafeMutableRawPointer(target).copyMemory(
            from: bytes.baseAddress.unsafelyUnwrapped, byteCount: size)
    }
    return UNDERTEXT_STATUS_OK
}

/// Reads a struct of the caller; members that its header lacks are zero.
///
/// - Returns: The struct, or `nil` for NULL or a struct whose size is not set.
func read<Struct: SizedStruct>(_ source: UnsafePointer<Struct>?) -> Struct? {
    guard let source = unsafe source, let size = unsafe knownSize(source) else { return nil }
    var value = Struct()
    unsafe withUnsafeMutableBytes(of: &value) { bytes in
        unsafe bytes.baseAddress.unsafelyUnwrapped.copyMemory(from: source, byteCount: size)
    }
    return value
}

/// Returns the number of bytes that caller and library have in common, or `nil` if the size is not set.
private func knownSize<Struct: SizedStruct>(_ source: UnsafePointer<Struct>) -> Int? {
    let stated = unsafe UnsafeRawPointer(source).loadUnaligned(as: Int.self)
    guard stated >= MemoryLayout<Int>.size else { return nil }
    return min(stated, MemoryLayout<Struct>.size)
}
