// The names are those of undertext.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CUndertext
internal import UndertextCore

/// C: `undertext_cue_get`.
@c @implementation
public func undertext_cue_get(
    _ cue: OpaquePointer?, _ info: UnsafeMutablePointer<undertext_cue_info>?
) -> undertext_status {
    guard let value = unsafe object(cue, CueValue.self) else {
        return UNDERTEXT_STATUS_INVALID_ARGUMENT
    }
    return unsafe write(value.info, to: info)
}

/// C: `undertext_cue_image`.
@c @implementation
public func undertext_cue_image(
    _ cue: OpaquePointer?, _ index: Int, _ image: UnsafeMutablePointer<undertext_image>?
) -> undertext_status {
    guard let value = unsafe object(cue, CueValue.self) else {
        return UNDERTEXT_STATUS_INVALID_ARGUMENT
    }
    guard let value = unsafe value.image(index) else { return UNDERTEXT_STATUS_NOT_FOUND }
    return unsafe write(value, to: image)
}

/// C: `undertext_cue_retain`.
@c @implementation
public func undertext_cue_retain(_ cue: OpaquePointer?) -> OpaquePointer? {
    unsafe object(cue, CueValue.self).map(owned)
}

/// C: `undertext_cue_free`.
@c @implementation
public func undertext_cue_free(_ cue: OpaquePointer?) {
    unsafe release(cue, CueValue.self)
}
