public import Testing

/// The locations of the package's files, found from this file's own path.
public enum Repository {
    /// The folder that holds `Package.swift`.
    public static let root: String = {
        // Tests/TestSupport/Repository.swift: three steps up.
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(3).joined(separator: "/")
    }()

    /// The folder of independent test data: `UNDERTEXT_CORPUS`, or `../shared/corpus`.
    public static let corpus: String =
        environment("UNDERTEXT_CORPUS") ?? root + "/../shared/corpus"
}

/// The absolute path of a committed fixture: `fixture("plain.mkv")`.
public func fixture(_ name: String) -> String { Repository.root + "/Fixtures/" + name }

/// The bytes of a committed fixture; a missing one is recorded as an issue and throws.
public func fixtureBytes(
    _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws -> [UInt8] {
    try #require(fileBytes(fixture(name)), "fixture \(name)", sourceLocation: sourceLocation)
}

/// The absolute path of independent test data, or `nil` if there is none.
///
/// A test that needs the data has the trait `requiresCorpus`.
public func corpusPath(_ name: String) -> String? {
    let path = Repository.corpus + "/" + name
    return exists(path) ? path : nil
}
