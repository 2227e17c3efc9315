// The names are those of undertext.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CUndertext
internal import Undertext
internal import UndertextCore
internal import UndertextPlayback

/// C: `undertext_model_create`.
@c @implementation
public func undertext_model_create() -> OpaquePointer? {
    unsafe owned(
        ModelHandle(SubtitleModel.Options(), addressSizeLimit: FileSubtitles.addressSizeLimit))
}

/// C: `undertext_model_create_with`.
@c @implementation
public func undertext_model_create_with(
    _ options: UnsafePointer<undertext_model_options>?,
    _ model: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<undertext_error>?
) -> undertext_status {
    unsafe model?.pointee = nil
    return unsafe report(to: error) { () throws(Failure) in
        guard let model = unsafe model else { throw .argument("the model output pointer is NULL") }
        guard unsafe options != nil else {
            unsafe model.pointee = unsafe undertext_model_create()
            return UNDERTEXT_STATUS_OK
        }
        guard let given = unsafe read(options) else {
            throw .argument("the size member of undertext_model_options is not set")
        }
        var asked = SubtitleModel.Options()
        asked.media.cancellation = unsafe object(given.cancellation, Cancellation.self)
        asked.media.userAgent = unsafe text(given.user_agent)
        asked.media.liveDuration = unsafe liveDuration(given.live_duration)
        asked.media.textHook = unsafe textHook(given.text_hook, given.text_hook_context)
        let limit = unsafe given.address_size_limit
        unsafe model.pointee = owned(
            ModelHandle(
                asked, addressSizeLimit: limit == 0 ? FileSubtitles.addressSizeLimit : limit))
        return UNDERTEXT_STATUS_OK
    }
}

/// C: `undertext_model_cancel`.
@c @implementation
public func undertext_model_cancel(_ model: OpaquePointer?) {
    unsafe object(model, ModelHandle.self)?.model.cancelAdding()
}

/// C: `undertext_model_free`.
@c @implementation
public func undertext_model_free(_ model: OpaquePointer?) {
    // A renderer may keep the model alive, but not the context of the callback.
    unsafe object(model, ModelHandle.self)?.setWakeup(nil)
    unsafe release(model, ModelHandle.self)
}

/// C: `undertext_model_add_video`.
@c @implementation
public func undertext_model_add_video(
    _ model: OpaquePointer?, _ input: UnsafePointer<CChar>?, _ with_sidecars: Bool,
    _ error: UnsafeMutablePointer<undertext_error>?
) -> undertext_status {
    unsafe report(to: error) { () throws(Failure) in
        let handle = try unsafe modelHandle(model)
        let video = try unsafe mediaInput(input)
        let adding = handle.model.beginAdding()
        var failures: [Failure] = []
        func add(_ source: any SubtitleDataSource) {
            do throws(UndertextError) {
                try handle.model.addSubtitles(of: source, cancellation: adding)
            } catch {
                failures.append(Failure(error))
            }
        }
        add(EmbeddedSubtitles(of: video))
        if with_sidecars, !adding.isCancelled, case .file(let path) = video {
            // Also after a failure: the player may be able to open the media file.
            add(DirectorySubtitles(of: path))
        }
        if let failure = failures.first { throw failure }
        return UNDERTEXT_STATUS_OK
    }
}

/// C: `undertext_model_add_video_io`.
@c @implementation
public func undertext_model_add_video_io(
    _ model: OpaquePointer?, _ io: UnsafePointer<undertext_io>?,
    _ error: UnsafeMutablePointer<undertext_error>?
) -> undertext_status {
    unsafe report(to: error) { () throws(Failure) in
        let handle = try unsafe modelHandle(model)
        let source = try unsafe CallbackSource(io)
        _ = try attempt { () throws(UndertextError) in
            try handle.model.addSubtitles(of: EmbeddedSubtitles(of: .source(source)))
        }
        return UNDERTEXT_STATUS_OK
    }
}

/// C: `undertext_model_add_file`.
@c @implementation
public func undertext_model_add_file(
    _ model: OpaquePointer?, _ input: UnsafePointer<CChar>?, _ language: UnsafePointer<CChar>?,
    _ charset: UnsafePointer<CChar>?, _ error: UnsafeMutablePointer<undertext_error>?
) -> undertext_status {
    unsafe report(to: error) { () throws(Failure) in
        let handle = try unsafe modelHandle(model)
        let input = try unsafe mediaInput(input)
        let facts = try unsafe StatedFile(language, charset)
        try handle.add(input, facts)
        return UNDERTEXT_STATUS_OK
    }
}

/// C: `undertext_model_add_file_io`.
@c @implementation
public func undertext_model_add_file_io(
    _ model: OpaquePointer?, _ io: UnsafePointer<undertext_io>?, _ language: UnsafePointer<CChar>?,
    _ charset: UnsafePointer<CChar>?, _ error: UnsafeMutablePointer<undertext_error>?
) -> undertext_status {
    unsafe report(to: error) { () throws(Failure) in
        let handle = try unsafe modelHandle(model)
        let facts = try unsafe StatedFile(language, charset)
        try handle.add(.source(unsafe CallbackSource(io)), facts)
        return UNDERTEXT_STATUS_OK
    }
}

/// The facts that a caller states about a subtitle file.
private struct StatedFile {
    var language: LanguageTag?
    var charset: String?

    init(
        _ language: UnsafePointer<CChar>?, _ charset: UnsafePointer<CChar>?
    ) throws(Failure) {
        self.charset = unsafe text(charset)
        if let charset = self.charset, !Media.isKnown(charset: charset) {
            throw .argument("iconv has no charset '\(charset)'")
        }
        if let language = unsafe text(language) {
            self.language = LanguageTag(language)
            if self.language == nil { throw .argument("'\(language)' is not a language") }
        }
    }
}

extension ModelHandle {
    /// Adds the tracks of a subtitle file.
    fileprivate func add(_ input: MediaInput, _ facts: StatedFile) throws(Failure) {
        let infos = try attempt { () throws(UndertextError) in
            try model.addSubtitles(
                of: FileSubtitles(
                    input, language: facts.language, charset: facts.charset,
                    addressSizeLimit: addressSizeLimit))
        }
        guard !infos.isEmpty else {
            throw Failure(
                UndertextError(.notFound, "the input has no subtitles", path: input.argument))
        }
    }
}

/// C: `undertext_model_set_wakeup`.
@c @implementation
public func undertext_model_set_wakeup(
    _ model: OpaquePointer?, _ callback: undertext_wakeup?, _ context: UnsafeMutableRawPointer?
) {
    let wakeup = unsafe callback.map { unsafe Wakeup(callback: $0, context: context) }
    unsafe object(model, ModelHandle.self)?.setWakeup(wakeup)
}

/// C: `undertext_model_wakeup_descriptor`.
@c @implementation
public func undertext_model_wakeup_descriptor(_ model: OpaquePointer?) -> Int32 {
    unsafe object(model, ModelHandle.self)?.wakeupDescriptor ?? -1
}

/// C: `undertext_model_clear`.
@c @implementation
public func undertext_model_clear(_ model: OpaquePointer?) {
    unsafe object(model, ModelHandle.self)?.model.removeAll()
}

/// C: `undertext_model_generation`.
@c @implementation
public func undertext_model_generation(_ model: OpaquePointer?) -> UInt64 {
    unsafe object(model, ModelHandle.self)?.generation ?? 0
}

/// C: `undertext_model_select`.
@c @implementation
public func undertext_model_select(
    _ model: OpaquePointer?, _ place: undertext_place, _ id: UnsafePointer<CChar>?
) -> undertext_status {
    guard let handle = unsafe object(model, ModelHandle.self), let place = SubtitlePlace(place)
    else { return UNDERTEXT_STATUS_INVALID_ARGUMENT }
    guard let id = unsafe text(id) else {
        handle.model.select(nil, at: place)
        return UNDERTEXT_STATUS_OK
    }
    return handle.model.select(id: id, at: place) ? UNDERTEXT_STATUS_OK : UNDERTEXT_STATUS_NOT_FOUND
}

/// C: `undertext_model_select_language`.
@c @implementation
public func undertext_model_select_language(
    _ model: OpaquePointer?, _ place: undertext_place, _ languages: UnsafePointer<CChar>?,
    _ audio: UnsafePointer<CChar>?
) -> undertext_status {
    guard let handle = unsafe object(model, ModelHandle.self), let place = SubtitlePlace(place)
    else { return UNDERTEXT_STATUS_INVALID_ARGUMENT }
    var preference = SubtitlePreference(languages: nil)
    if let names = unsafe text(languages)?.split(separator: ",") {
        let tags = names.compactMap { LanguageTag(String($0)) }
        guard tags.count == names.count, !tags.isEmpty else {
            return UNDERTEXT_STATUS_INVALID_ARGUMENT
        }
        preference.languages = tags
    }
    var audioLanguage: LanguageTag?
    if let audio = unsafe text(audio) {
        audioLanguage = LanguageTag(audio)
        guard audioLanguage != nil else { return UNDERTEXT_STATUS_INVALID_ARGUMENT }
        preference.showsForcedWhenOff = true
    }
    let chosen = handle.model.select(
        preferring: preference, audioLanguage: audioLanguage, at: place)
    return chosen == nil && preference.languages != nil
        ? UNDERTEXT_STATUS_NOT_FOUND : UNDERTEXT_STATUS_OK
}

/// C: `undertext_model_set_delay`.
@c @implementation
public func undertext_model_set_delay(_ model: OpaquePointer?, _ delay: Int64) {
    unsafe object(model, ModelHandle.self)?.model.subtitleDelay = length(delay)
}

/// C: `undertext_model_delay`.
@c @implementation
public func undertext_model_delay(_ model: OpaquePointer?) -> Int64 {
    unsafe nanoseconds(object(model, ModelHandle.self)?.model.subtitleDelay ?? .zero)
}

/// C: `undertext_model_set_subtitle_delay`.
@c @implementation
public func undertext_model_set_subtitle_delay(
    _ model: OpaquePointer?, _ id: UnsafePointer<CChar>?, _ delay: Int64
) -> undertext_status {
    guard let handle = unsafe object(model, ModelHandle.self), let id = unsafe text(id) else {
        return UNDERTEXT_STATUS_INVALID_ARGUMENT
    }
    guard let info = handle.model.subtitleInfos.first(where: { $0.id == id }) else {
        return UNDERTEXT_STATUS_NOT_FOUND
    }
    handle.model.setDelay(length(delay), for: info)
    return UNDERTEXT_STATUS_OK
}

/// C: `undertext_model_update`.
@c @implementation
public func undertext_model_update(_ model: OpaquePointer?, _ time: Int64) -> Bool {
    unsafe object(model, ModelHandle.self)?.model
        .subtitle(currentTime: Timestamp(nanoseconds: time)) ?? false
}

/// C: `undertext_model_wait`.
@c @implementation
public func undertext_model_wait(_ model: OpaquePointer?, _ timeout: Int64) -> Bool {
    unsafe object(model, ModelHandle.self)?.model
        .waitUntilReady(timeout: length(max(0, timeout))) ?? false
}

/// C: `undertext_model_next_change`.
@c @implementation
public func undertext_model_next_change(_ model: OpaquePointer?, _ time: Int64) -> Int64 {
    guard let handle = unsafe object(model, ModelHandle.self) else { return .min }
    return nanoseconds(handle.model.nextChange(after: Timestamp(nanoseconds: time)))
}

/// C: `undertext_model_cues`.
@c @implementation
public func undertext_model_cues(
    _ model: OpaquePointer?, _ place: undertext_place,
    _ cues: UnsafeMutablePointer<OpaquePointer?>?, _ capacity: Int
) -> Int {
    guard let handle = unsafe object(model, ModelHandle.self), let place = SubtitlePlace(place)
    else { return 0 }
    return unsafe hand(handle.cues(at: place).map(CueValue.init), to: cues, capacity)
}
