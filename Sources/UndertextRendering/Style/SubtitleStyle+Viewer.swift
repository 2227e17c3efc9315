internal import UndertextIO

extension SubtitleStyle {
    /// The viewer's own settings of how subtitles look, from a file of `KEY=VALUE` lines.
    ///
    /// They count before what an application wants: ``effective(application:viewer:)``.
    ///
    /// - Parameters:
    ///   - path: the file; `nil` = ``settingsPath(_:)`` of this process, which need not exist.
    ///   - diagnostics: gets what is wrong with it and was left out.
    /// - Returns: what it sets; nothing where there is no file.
    /// - Throws: `UndertextError`: the file cannot be read, or is larger than 64 KiB.
    public static func viewerSettings(
        at path: String? = nil, diagnostics: (Diagnostic) -> Void = { _ in }
    ) throws(UndertextError) -> SubtitleStyle {
        var file = path
        if file == nil {
            file = settingsPath { SystemEnvironment.path(of: $0) }
                .flatMap { FileSystem.exists($0) ? $0 : nil }
        }
        guard let file else { return SubtitleStyle() }
        let bytes = try FileSystem.contents(of: file, limit: 1 << 16)
        return SubtitleStyle(settings: String(decoding: bytes, as: UTF8.self)) { diagnostic in
            var told = diagnostic
            told.message = "\(file): \(diagnostic.message)"
            diagnostics(told)
        }
    }
}
