// The names are those of undertext.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CUndertext
internal import Undertext
internal import UndertextCore

/// The object of an `undertext_text`, which lives during a call of the hook.
@safe private final class TextHandle {
    let info: undertext_text_info
    var replacement: String?
    private let texts = CTexts()

    init(_ text: String, _ origin: TextOrigin) {
        var info = unsafe undertext_text_info()
        unsafe info.text = unsafe texts.keep(text)
        unsafe info.codec = unsafe texts.keep(origin.codec.rawValue)
        unsafe info.source = unsafe texts.keep(origin.source)
        unsafe info.segment = unsafe texts.keep(origin.segment)
        unsafe info.is_file = origin.extent == .file
        unsafe self.info = unsafe info
    }
}

/// A hook of the caller with its context.
@safe private struct CTextHook: @unchecked Sendable {
    let function: undertext_text_hook
    let context: UnsafeMutableRawPointer?

    func change(_ text: String, _ origin: TextOrigin) -> String {
        let handle = TextHandle(text, origin)
        return withExtendedLifetime(handle) {
            unsafe function(
                context, OpaquePointer(Unmanaged.passUnretained(handle).toOpaque()))
            return handle.replacement ?? text
        }
    }
}

/// Returns a hook that calls a function of the caller, or `nil` for NULL.
func textHook(
    _ function: undertext_text_hook?, _ context: UnsafeMutableRawPointer?
) -> (@Sendable (String, TextOrigin) -> String)? {
    guard let function = unsafe function else { return nil }
    let hook = unsafe CTextHook(function: function, context: context)
    return { text, origin in hook.change(text, origin) }
}

/// C: `undertext_text_get`.
@c @implementation
public func undertext_text_get(
    _ text: OpaquePointer?, _ info: UnsafeMutablePointer<undertext_text_info>?
) -> undertext_status {
    guard let handle = unsafe object(text, TextHandle.self) else {
        return UNDERTEXT_STATUS_INVALID_ARGUMENT
    }
    return unsafe write(handle.info, to: info)
}

/// C: `undertext_text_replace`.
@c @implementation
public func undertext_text_replace(
    _ text: OpaquePointer?, _ replacement: UnsafePointer<CChar>?
) -> undertext_status {
    guard let handle = unsafe object(text, TextHandle.self),
        let words = unsafe UndertextC.text(replacement)
    else { return UNDERTEXT_STATUS_INVALID_ARGUMENT }
    handle.replacement = words
    return UNDERTEXT_STATUS_OK
}
