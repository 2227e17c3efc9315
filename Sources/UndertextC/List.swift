// The names are those of undertext.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CUndertext
internal import Undertext
internal import UndertextCore
internal import UndertextPlayback

/// The object of an `undertext_list`.
///
/// It never changes after its creation, so any thread may read it.
@safe private final class ListHandle: @unchecked Sendable {
    let subtitles: [undertext_subtitle]
    /// The warnings of each of ``subtitles``.
    let warnings: [[UnsafePointer<CChar>?]]
    private let texts = CTexts()

    init(_ entries: [SubtitleEntry]) {
        let texts = texts
        unsafe warnings = entries.map { entry in
            unsafe entry.info.warnings.map { unsafe texts.keep($0.line) }
        }
        unsafe subtitles = zip(entries, warnings).map { entry, warnings in
            unsafe undertext_subtitle(entry, warning: warnings.first ?? nil, texts)
        }
    }
}

extension undertext_subtitle {
    fileprivate init(_ entry: SubtitleEntry, warning: UnsafePointer<CChar>?, _ texts: CTexts) {
        unsafe self.init()
        let info = entry.info
        unsafe id = unsafe texts.keep(info.id)
        unsafe name = unsafe texts.keep(info.name)
        unsafe language = unsafe texts.keep(info.language?.rawValue)
        unsafe codec = unsafe texts.keep(info.codec?.rawValue)
        unsafe source = unsafe texts.keep(info.source)
        unsafe kind = kindValue(isBitmap: info.isBitmap)
        unsafe is_forced = info.disposition.contains(.forced)
        unsafe is_hearing_impaired = info.disposition.contains(.hearingImpaired)
        unsafe is_default = info.disposition.contains(.default)
        unsafe is_commentary = info.disposition.contains(.comment)
        unsafe is_external = info.origin.isExternal
        unsafe place =
            switch entry.place {
            case .first: Int32(UNDERTEXT_PLACE_FIRST.rawValue)
            case .second: Int32(UNDERTEXT_PLACE_SECOND.rawValue)
            case nil: Int32(UNDERTEXT_PLACE_NONE.rawValue)
            }
        unsafe is_second = entry.isSecond
        unsafe delay = nanoseconds(info.delay)
        unsafe state =
            switch info.state {
            case .idle: Int32(UNDERTEXT_STATE_IDLE.rawValue)
            case .loading: Int32(UNDERTEXT_STATE_LOADING.rawValue)
            case .ready: Int32(UNDERTEXT_STATE_READY.rawValue)
            case .failed: Int32(UNDERTEXT_STATE_FAILED.rawValue)
            }
        unsafe error = unsafe texts.keep(info.error?.description)
        unsafe self.warning = unsafe warning
    }
}

/// C: `undertext_model_list`.
@c @implementation
public func undertext_model_list(_ model: OpaquePointer?) -> OpaquePointer? {
    unsafe object(model, ModelHandle.self).map {
        unsafe owned(ListHandle($0.model.subtitleEntries))
    }
}

/// C: `undertext_list_count`.
@c @implementation
public func undertext_list_count(_ list: OpaquePointer?) -> Int {
    unsafe object(list, ListHandle.self)?.subtitles.count ?? 0
}

/// C: `undertext_list_get`.
@c @implementation
public func undertext_list_get(
    _ list: OpaquePointer?, _ index: Int, _ subtitle: UnsafeMutablePointer<undertext_subtitle>?
) -> undertext_status {
    guard let handle = unsafe object(list, ListHandle.self) else {
        return UNDERTEXT_STATUS_INVALID_ARGUMENT
    }
    guard unsafe handle.subtitles.indices.contains(index) else { return UNDERTEXT_STATUS_NOT_FOUND }
    return unsafe write(handle.subtitles[index], to: subtitle)
}

/// C: `undertext_list_warning`.
@c @implementation
public func undertext_list_warning(
    _ list: OpaquePointer?, _ index: Int, _ number: Int,
    _ message: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> undertext_status {
    unsafe message?.pointee = nil
    guard let handle = unsafe object(list, ListHandle.self), let message = unsafe message else {
        return UNDERTEXT_STATUS_INVALID_ARGUMENT
    }
    guard unsafe handle.warnings.indices.contains(index),
        unsafe handle.warnings[index].indices.contains(number)
    else { return UNDERTEXT_STATUS_NOT_FOUND }
    unsafe message.pointee = unsafe handle.warnings[index][number]
    return UNDERTEXT_STATUS_OK
}

/// C: `undertext_list_free`.
@c @implementation
public func undertext_list_free(_ list: OpaquePointer?) {
    unsafe release(list, ListHandle.self)
}
