package import UndertextCore

/// The errors for a library of FFmpeg's that cannot be used; each names the Debian package.
package enum MissingLibrary {
    /// The kind of problem.
    package enum Kind: Hashable, Sendable {
        /// It cannot be loaded.
        case library
        /// It lacks a function.
        case symbol
        /// It is of another major version.
        case version
    }

    /// The error for `library`, such as `avformat`, of the version `major`.
    ///
    /// `detail` is the loader's message, or the name of a function.
    package static func error(
        kind: Kind, library: String, major: UInt32, detail: String
    ) -> UndertextError {
        // Debian and Ubuntu name the package after the library and its major version.
        let package = "lib\(library)\(major)"
        switch kind {
        case .library:
            // The package of libavformat depends on those of libavcodec and libavutil.
            let needed =
                ["avutil", "avcodec"].contains(library)
                ? "libavformat\(FFmpegVersion.formatMajor)" : package
            return UndertextError(
                .missingLibrary,
                "FFmpeg's lib\(library).so.\(major) is needed; "
                    + "install it with: apt-get install \(needed)",
                underlying: detail)
        case .symbol:
            return UndertextError(
                .missingLibrary,
                "lib\(library).so.\(major) lacks the function \(detail); "
                    + "install it again with: apt-get install --reinstall \(package)")
        case .version:
            return UndertextError(
                .missingLibrary,
                "lib\(library) is not of the major version \(major) that is needed; "
                    + "install it with: apt-get install \(package)")
        }
    }
}
