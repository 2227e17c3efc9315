public import UndertextCore

/// The rule for addresses that playlists and manifests may refer to.
///
/// References keep the scheme of their document, or change to https; this machine and private networks are
/// reached only if the user named that host. Files are reached only from a file that the user named, by
/// relative references, in its own folder and below it. The code that opens an address also checks the IP
/// addresses of the host, and redirects (`HTTPRequest.namedURL`).
public struct AddressRule: Hashable, Sendable {
    /// The address that the user named.
    public let named: String
    private let host: HostName?
    /// The folder of a file that the user named, with a slash at its end; `nil` for other addresses.
    let folder: String?

    /// The rule for a presentation whose address is `named`.
    ///
    /// - Parameter named: an address of http or https, or of a file as `URI(filePath:)` makes it.
    public init(named: String) {
        self.named = named
        let uri = URI(named)
        folder = uri.filePath.map { path in
            String(path[...(path.lastIndex(of: "/") ?? path.startIndex)])
        }
        host = uri.host
    }

    /// The URL that the user specified, as the HTTP client sees it; for a file, a host that cannot exist.
    var namedForWeb: String { folder == nil ? named : "https://nothing.invalid/" }

    /// The address that `reference` resolves to.
    ///
    /// - Parameters:
    ///   - reference: as the playlist has it; spaces and characters beyond ASCII become escapes.
    ///   - parent: the address of the playlist.
    /// - Returns: an address of http or https without a fragment.
    /// - Throws: `UndertextError` with code `nested-open-refused`, which says why.
    public func address(of reference: String, in parent: String) throws(UndertextError) -> String {
        let base = URI(parent)
        let own = URI(URI.repaired(reference))
        var target = own.resolved(against: base)
        target.fragment = nil
        let scheme = target.scheme?.lowercased() ?? ""
        let parentScheme = base.scheme?.lowercased()
        let isRelative = own.scheme == nil && own.authority == nil && !own.path.hasPrefix("/")
        if let folder, scheme == "file", parentScheme == "file", isRelative {
            target.query = nil
            // By bytes: letters that only look alike are other names.
            guard let path = target.filePath, path.utf8.starts(with: folder.utf8) else {
                throw refusal(reference, "it is outside of the folder of the playlist")
            }
            return target.description
        }
        guard scheme == "http" || scheme == "https" else {
            throw refusal(reference, "only http and https are opened")
        }
        guard scheme == parentScheme || scheme == "https" else {
            throw refusal(reference, "it would leave \(parentScheme ?? "a file") for \(scheme)")
        }
        guard let host = target.host else {
            throw refusal(reference, "the URL has no host")
        }
        guard !host.isPrivate || host == self.host else {
            throw refusal(reference, "it refers to this machine or a private network")
        }
        target.scheme = scheme
        return target.description
    }

    private func refusal(_ reference: String, _ reason: String) -> UndertextError {
        UndertextError(
            .nestedOpen, "the reference '\(reference.prefix(200))' is not opened: \(reason)",
            path: named)
    }
}
