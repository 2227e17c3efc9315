// The names are those of undertext.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CUndertext
internal import Undertext
internal import UndertextCore
internal import UndertextFormats

/// The object of an `undertext_media`, with the strings that C reads.
@safe final class MediaHandle {
    let file: Media
    /// The report of the last extraction.
    var reportTexts = CTexts()
    let tracks: [undertext_track]
    private let texts = CTexts()
    /// The description that was made last, until a selection changes it.
    private var knownJSON: UnsafePointer<CChar>?

    init(_ file: Media) {
        self.file = file
        let texts = texts
        unsafe tracks = file.subtitleTracks.map { unsafe undertext_track($0, texts) }
    }

    var json: UnsafePointer<CChar>? {
        if let known = unsafe knownJSON { return unsafe known }
        do throws(UndertextError) {
            unsafe knownJSON = unsafe kept(try file.probe().json)
            return unsafe knownJSON
        } catch {
            // The next call may succeed.
            return unsafe kept(ProbeReport.json(failure: error, input: file.input.argument))
        }
    }

    /// Selects streams for readers that are opened later.
    func select(audio: StreamChoice, text: StreamChoice) throws(Failure) {
        try attempt { () throws(UndertextError) in try file.select(audio: audio, text: text) }
        unsafe knownJSON = nil
    }

    private func kept(_ json: JSON) -> UnsafePointer<CChar>? {
        unsafe texts.keep(String(decoding: json.compact, as: UTF8.self))
    }
}

extension undertext_track {
    fileprivate init(_ track: SubtitleTrack, _ texts: CTexts) {
        unsafe self.init()
        unsafe self.stream = Int32(clamping: track.id)
        unsafe kind = kindValue(isBitmap: track.kind == .bitmap)
        unsafe codec = unsafe texts.keep(track.codec.rawValue)
        unsafe language = unsafe texts.keep(track.language?.rawValue)
        unsafe title = unsafe texts.keep(track.title)
        unsafe is_forced = track.isForced
        unsafe is_hearing_impaired = track.isHearingImpaired
        unsafe is_default = track.isDefault
        unsafe is_commentary = track.isCommentary
        unsafe is_decodable = track.decodingRefusal == nil
        unsafe width = UInt32(clamping: track.size?.width ?? 0)
        unsafe height = UInt32(clamping: track.size?.height ?? 0)
    }
}

/// Returns the object of a handle.
func mediaHandle(_ media: OpaquePointer?) throws(Failure) -> MediaHandle {
    guard let handle = unsafe object(media, MediaHandle.self) else {
        throw .argument("the media handle is NULL")
    }
    return handle
}

/// Returns the media of a handle.
func mediaFile(_ media: OpaquePointer?) throws(Failure) -> Media {
    try unsafe mediaHandle(media).file
}

/// Returns the input of an argument, which must be neither NULL nor empty.
func mediaInput(_ argument: UnsafePointer<CChar>?) throws(Failure) -> MediaInput {
    guard let argument = unsafe text(argument) else { throw .argument("the input is NULL") }
    guard !argument.isEmpty else {
        throw Failure(UNDERTEXT_STATUS_NOT_FOUND, "the path of the input is empty")
    }
    return MediaInput(argument: argument)
}

/// C: `undertext_media_open`.
@c @implementation
public func undertext_media_open(
    _ input: UnsafePointer<CChar>?, _ options: UnsafePointer<undertext_media_options>?,
    _ media: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<undertext_error>?
) -> undertext_status {
    unsafe media?.pointee = nil
    return unsafe report(to: error) { () throws(Failure) in
        guard let media = unsafe media else { throw .argument("the media output pointer is NULL") }
        let input = try unsafe mediaInput(input)
        let asked = try unsafe mediaOptions(options)
        unsafe media.pointee = try opened(input, asked)
        return UNDERTEXT_STATUS_OK
    }
}

/// C: `undertext_media_open_io`.
@c @implementation
public func undertext_media_open_io(
    _ io: UnsafePointer<undertext_io>?, _ options: UnsafePointer<undertext_media_options>?,
    _ media: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<undertext_error>?
) -> undertext_status {
    unsafe media?.pointee = nil
    return unsafe report(to: error) { () throws(Failure) in
        guard let media = unsafe media else { throw .argument("the media output pointer is NULL") }
        let asked = try unsafe mediaOptions(options)
        let source = try unsafe CallbackSource(io)
        unsafe media.pointee = try opened(.source(source), asked)
        return UNDERTEXT_STATUS_OK
    }
}

private func opened(
    _ input: MediaInput, _ options: Media.Options
) throws(Failure) -> OpaquePointer {
    unsafe owned(
        MediaHandle(
            try attempt { () throws(UndertextError) in try Media(input, options: options) }))
}

private func mediaOptions(
    _ given: UnsafePointer<undertext_media_options>?
) throws(Failure) -> Media.Options {
    var options = Media.Options()
    guard unsafe given != nil else { return options }
    guard let given = unsafe read(given) else {
        throw .argument("the size member of undertext_media_options is not set")
    }
    options.cancellation = unsafe object(given.cancellation, Cancellation.self)
    options.charset = unsafe text(given.charset)
    if let charset = options.charset, !Media.isKnown(charset: charset) {
        throw .argument("iconv has no charset '\(charset)'")
    }
    options.userAgent = unsafe text(given.user_agent)
    options.timeline = unsafe given.source_times ? .source : .player
    options.liveDuration = unsafe liveDuration(given.live_duration)
    options.textHook = unsafe textHook(given.text_hook, given.text_hook_context)
    if let name = unsafe text(given.input_format) {
        options.inputFormat = try attempt { () throws(UndertextError) in
            try SubtitleFormat.input(named: name)
        }
    }
    if let name = unsafe text(given.language) {
        options.language = LanguageTag(name)
        if options.language == nil { throw .argument("'\(name)' is not a language") }
    }
    if let rate = unsafe text(given.frame_rate) {
        options.frameRate = try frameRate(rate)
    }
    return options
}

private func frameRate(_ text: String) throws(Failure) -> TimeBase {
    guard let rate = Retiming.frameRate(parsing: text), rate.numerator >= rate.denominator,
        Int64(rate.numerator) <= 1000 * Int64(rate.denominator)
    else { throw .argument("'\(text)' is not a frame rate from 1 to 1000") }
    return rate
}

/// C: `undertext_media_free`.
@c @implementation
public func undertext_media_free(_ media: OpaquePointer?) {
    unsafe release(media, MediaHandle.self)
}

/// C: `undertext_media_json`.
@c @implementation
public func undertext_media_json(_ media: OpaquePointer?) -> UnsafePointer<CChar>? {
    unsafe object(media, MediaHandle.self).flatMap { unsafe $0.json }
}

/// C: `undertext_media_select_language`.
@c @implementation
public func undertext_media_select_language(
    _ media: OpaquePointer?, _ type: undertext_stream_type, _ language: UnsafePointer<CChar>?,
    _ error: UnsafeMutablePointer<undertext_error>?
) -> undertext_status {
    unsafe report(to: error) { () throws(Failure) in
        let handle = try unsafe mediaHandle(media)
        var choice = StreamChoice.off
        if let word = unsafe text(language) {
            guard let tag = LanguageTag(word) else {
                throw .argument("'\(word)' is not a language")
            }
            choice = .language(tag)
        }
        switch type {
        case UNDERTEXT_STREAM_TYPE_AUDIO: try handle.select(audio: choice, text: .unchanged)
        case UNDERTEXT_STREAM_TYPE_TEXT: try handle.select(audio: .unchanged, text: choice)
        default: throw .argument("\(type.rawValue) is not an undertext_stream_type")
        }
        return UNDERTEXT_STATUS_OK
    }
}

/// C: `undertext_media_track_count`.
@c @implementation
public func undertext_media_track_count(_ media: OpaquePointer?) -> Int {
    unsafe object(media, MediaHandle.self)?.tracks.count ?? 0
}

/// C: `undertext_media_track`.
@c @implementation
public func undertext_media_track(
    _ media: OpaquePointer?, _ index: Int, _ track: UnsafeMutablePointer<undertext_track>?
) -> undertext_status {
    guard let handle = unsafe object(media, MediaHandle.self) else {
        return UNDERTEXT_STATUS_INVALID_ARGUMENT
    }
    guard unsafe handle.tracks.indices.contains(index) else { return UNDERTEXT_STATUS_NOT_FOUND }
    return unsafe write(handle.tracks[index], to: track)
}
