internal import CUndertext

/// A struct of the header that begins with its own size.
///
/// Callers that were compiled against an earlier header have a shorter one: only its bytes are
/// touched.
protocol SizedStruct {
    /// `sizeof`, as the caller knows the struct.
    var size: Int { get set }
    /// All zero.
    init()
}

extension undertext_error: SizedStruct {}
extension undertext_media_options: SizedStruct {}
extension undertext_track: SizedStruct {}
extension undertext_cue_info: SizedStruct {}
extension undertext_image: SizedStruct {}
extension undertext_model_options: SizedStruct {}
extension undertext_subtitle: SizedStruct {}
extension undertext_geometry: SizedStruct {}
extension undertext_overlay: SizedStruct {}

/// Writes a struct of the caller's; members that the caller does not know are left out.
///
/// - Returns: `UNDERTEXT_INVALID_ARGUMENT` for NULL or a struct whose size is not set.
func write<Struct: SizedStruct>(
    _ value: Struct, to target: UnsafeMutablePointer<Struct>?
) -> undertext_status {
    guard let target = unsafe target, let size = unsafe knownSize(UnsafePointer(target)) else {
        return UNDERTEXT_INVALID_ARGUMENT
    }
    var value = value
    value.size = unsafe target.pointee.size
    unsafe withUnsafeBytes(of: &value) { bytes in
        unsafe UnsafeMutableRawPointer(target).copyMemory(
            from: bytes.baseAddress.unsafelyUnwrapped, byteCount: size)
    }
    return UNDERTEXT_OK
}

/// Reads a struct of the caller's; members that the caller does not know are zero.
///
/// - Returns: `nil` for NULL or a struct whose size is not set.
func read<Struct: SizedStruct>(_ source: UnsafePointer<Struct>?) -> Struct? {
    guard let source = unsafe source, let size = unsafe knownSize(source) else { return nil }
    var value = Struct()
    unsafe withUnsafeMutableBytes(of: &value) { bytes in
        unsafe bytes.baseAddress.unsafelyUnwrapped.copyMemory(from: source, byteCount: size)
    }
    return value
}

/// The bytes that both sides know; `nil` where the caller did not say.
private func knownSize<Struct: SizedStruct>(_ source: UnsafePointer<Struct>) -> Int? {
    let stated = unsafe UnsafeRawPointer(source).loadUnaligned(as: Int.self)
    guard stated >= MemoryLayout<Int>.size else { return nil }
    return min(stated, MemoryLayout<Struct>.size)
}
