package import UndertextCore
internal import UndertextIO

/// The default place of journals.
package enum JournalName {
    /// The journal of roots: `NAME-HASH.journal` in `undertext` of the folder for state.
    ///
    /// - Parameter roots: Canonical paths of folders, or of a manifest.
    /// - Returns: The path.
    /// - Throws: ``UndertextError`` with code `not-found` if the environment names no folder for state.
    package static func path(for roots: [String]) throws(UndertextError) -> String {
        guard let folder = FileSystem.stateFolder, let first = roots.first else {
            throw UndertextError(
                .notFound,
                "neither HOME nor XDG_STATE_HOME names a folder for the journal",
                remedy: .set(.journal))
        }
        let name = PathName.sanitised(PathName.baseName(first), limit: 64) ?? "root"
        let hash = Fingerprint.hash(of: roots.sorted().joined(separator: "\0"))
        let digits = zeroPadded(hash, to: 16, radix: 16)
        return PathName.joining(
            PathName.joining(folder, "undertext"), "\(name)-\(digits).journal")
    }
}
