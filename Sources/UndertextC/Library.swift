// The names are those of undertext.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CUndertext
internal import Undertext
internal import UndertextCore
internal import UndertextRendering

/// The version as a string that is never freed.
@safe private struct Version: @unchecked Sendable {
    static let shared = Version()
    let text: UnsafePointer<CChar>?
    private let texts = CTexts()

    init() {
        unsafe text = unsafe texts.keep(undertextVersion)
    }
}

/// C: `undertext_version`.
@c @implementation
public func undertext_version() -> UnsafePointer<CChar>? { unsafe Version.shared.text }

/// C: `undertext_has`.
@c @implementation
public func undertext_has(_ feature: undertext_feature) -> Bool {
    switch feature {
    case UNDERTEXT_FEATURE_RENDERING: OverlayRenderer.isAvailable
    default: false
    }
}

/// C: `undertext_silence_ffmpeg`.
@c @implementation
public func undertext_silence_ffmpeg() { FFmpegInfo.silenceLog() }

/// C: `undertext_cancellation_create`.
@c @implementation
public func undertext_cancellation_create() -> OpaquePointer? { unsafe owned(Cancellation()) }

/// C: `undertext_cancellation_cancel`.
@c @implementation
public func undertext_cancellation_cancel(_ cancellation: OpaquePointer?) {
    unsafe object(cancellation, Cancellation.self)?.cancel()
}

/// C: `undertext_cancellation_free`.
@c @implementation
public func undertext_cancellation_free(_ cancellation: OpaquePointer?) {
    unsafe release(cancellation, Cancellation.self)
}
