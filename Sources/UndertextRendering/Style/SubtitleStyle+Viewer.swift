internal import UndertextIO

extension SubtitleStyle {
    /// Returns the viewer's style from a file of `KEY=VALUE` lines.
    ///
    /// It overrides the style of an application: ``effective(application:viewer:)``.
    ///
    /// - Parameters:
    ///   - path: The file, or `nil` for ``settingsPath(_:)`` of this process, which need not exist.
    ///   - diagnostics: A function that receives reports of ignored settings.
    /// - Returns: The style; without properties if there is no file.
    /// - Throws: `UndertextError` if the file cannot be read or is larger than 64 KiB.
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
            var reported = diagnostic
            reported.message = "\(file): \(diagnostic.message)"
            diagnostics(reported)
        }
    }
}
