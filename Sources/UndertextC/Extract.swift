// The names are those of undertext.h.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import CUndertext
internal import Undertext
internal import UndertextCore
internal import UndertextFormats

/// A function of the caller with its context.
@safe private struct CProgress: @unchecked Sendable {
    let function: undertext_progress
    let context: UnsafeMutableRawPointer?

    func report(_ progress: ExtractionProgress) {
        unsafe function(context, progress.fraction ?? -1)
    }
}

/// C: `undertext_media_extract`.
@c @implementation
public func undertext_media_extract(
    _ media: OpaquePointer?, _ options: UnsafePointer<undertext_extract_options>?,
    _ report: UnsafeMutablePointer<UnsafePointer<CChar>?>?,
    _ error: UnsafeMutablePointer<undertext_error>?
) -> undertext_status {
    unsafe report?.pointee = nil
    return unsafe UndertextC.report(to: error) { () throws(Failure) in
        let handle = try unsafe mediaHandle(media)
        let given = try unsafe extractOptions(options)
        let made = try unsafe extract(from: handle.file, given)
        let json = ReportJSON.input(made, .init("outcome", .string(made.outcome.rawValue)))
        handle.reportTexts = CTexts()
        unsafe report?.pointee = unsafe handle.reportTexts.keep(
            String(decoding: json.compact, as: UTF8.self))
        try check(made, isConversion: unsafe given.file != nil)
        return UNDERTEXT_STATUS_OK
    }
}

/// Returns the options of the caller, or the defaults for NULL.
private func extractOptions(
    _ options: UnsafePointer<undertext_extract_options>?
) throws(Failure) -> undertext_extract_options {
    guard unsafe options != nil else { return unsafe undertext_extract_options() }
    guard let given = unsafe read(options) else {
        throw .argument("the size member of undertext_extract_options is not set")
    }
    return unsafe given
}

private func extract(
    from media: Media, _ given: undertext_extract_options
) throws(Failure) -> InputReport {
    let request = try unsafe extraction(given)
    var progress: (@Sendable (ExtractionProgress) -> Void)?
    if let function = unsafe given.progress {
        let callback = unsafe CProgress(function: function, context: given.progress_context)
        progress = { callback.report($0) }
    }
    return try attempt { () throws(UndertextError) in
        try media.extract(request, progress: progress)
    }
}

/// Throws the failure of an extraction of which nothing is left.
private func check(_ report: InputReport, isConversion: Bool) throws(Failure) {
    if let error = report.error { throw Failure(error) }
    if isConversion, !report.tracks.isEmpty, report.tracks.allSatisfy({ $0.status == .empty }) {
        throw Failure(
            UndertextError(.noTrack, "the track has no cues", path: report.input))
    }
    guard report.outcome == .failed || report.outcome == .noTrack else { return }
    let failed = report.tracks.first { $0.status == .failed || $0.status == .skipped }
    var error = UndertextError(
        report.outcome == .noTrack ? .noTrack : .unsupported,
        failed?.reason ?? "nothing was written", path: report.input, streamIndex: failed?.id,
        remedy: failed?.remedy)
    if report.outcome == .failed, failed?.status != .skipped {
        error.code = UndertextError.Code(name: "failed")
    }
    throw Failure(error)
}

private func extraction(_ given: undertext_extract_options) throws(Failure) -> ExtractionOptions {
    try attempt { () throws(UndertextError) in
        var options = ExtractionOptions()
        if let tracks = unsafe text(given.tracks) {
            options.tracks = try TrackSelection(parsing: tracks)
        }
        let recognition = unsafe text(given.recognition)
        if let languages = recognition { try options.recognize(languages) }
        let format = unsafe text(given.format)
        if let file = unsafe text(given.file) {
            options.destination = .file(file)
            // As `convert`: one format for whatever the track is.
            options.copiesText = true
            options.allowsOtherExtensions = true
            let target =
                try format.map { name throws(UndertextError) in
                    try SubtitleFormat.output(named: name)
                } ?? SubtitleFormat(path: file)
            if let target {
                options.format = FormatRequest(text: target, bitmap: target)
            } else if !file.hasSuffix("/") {
                throw UndertextError(
                    .invalidValue, "the extension names no format that can be written",
                    path: file,
                    remedy: .set(.format, to: SubtitleFormat.outputs.map(\.name)))
            }
        } else {
            options.destination =
                unsafe text(given.folder).map { .directory($0) } ?? .besideInput
            if let format {
                options.format = try FormatRequest(
                    parsing: format, recognizing: recognition != nil)
            }
        }
        options.attachments = unsafe text(given.attachments)
        options.forcedOnly = unsafe given.forced_only
        options.stripsStyling = unsafe given.strip_styling
        options.existing =
            unsafe given.replace ? .replace : given.skip_existing ? .skip : .refuse
        return options
    }
}
