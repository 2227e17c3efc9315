// The names are those of undertext.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CUndertext
internal import Undertext
internal import UndertextCore
internal import UndertextFormats

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

/// C: `undertext_cue_create`.
@c @implementation
public func undertext_cue_create(
    _ start: Int64, _ end: Int64, _ webvtt: UnsafePointer<CChar>?,
    _ settings: UnsafePointer<CChar>?
) -> OpaquePointer? {
    guard let words = unsafe text(webvtt), let times = times(start, end) else { return nil }
    let lines = words.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    var cue = Cue(
        start: times.start, end: times.end,
        content: .text(WebVTTCueText(lines).styledText))
    if let settings = unsafe text(settings) {
        cue.layout = WebVTTSettings.layout(Array(settings.utf8)[...])
    }
    return unsafe owned(CueValue(cue))
}

/// C: `undertext_cue_retimed`.
@c @implementation
public func undertext_cue_retimed(
    _ cue: OpaquePointer?, _ start: Int64, _ end: Int64
) -> OpaquePointer? {
    guard let value = unsafe object(cue, CueValue.self), let times = times(start, end) else {
        return nil
    }
    return unsafe owned(
        CueValue(value.cue.retimed(from: times.start, until: times.end)))
}

/// Returns the times of a cue, or `nil` if no cue can have them.
private func times(_ start: Int64, _ end: Int64) -> (start: Timestamp, end: Timestamp)? {
    guard let start = time(start), let end = time(end), start < end else { return nil }
    return (start, end)
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
