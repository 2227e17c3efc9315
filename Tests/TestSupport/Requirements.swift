public import Testing

// Traits of tests that need something outside the repository. Without it, Swift Testing skips the test and
// reports the reason.
extension Trait where Self == ConditionTrait {
    /// Skips a test where a tool is not installed: `@Test(.requires("ffmpeg", "mkvmerge"))`.
    public static func requires(
        _ tools: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self {
        let missing = tools.filter { !hasTool($0) }
        return .enabled(
            if: missing.isEmpty, "not installed: \(missing.joined(separator: ", "))",
            sourceLocation: sourceLocation)
    }

    /// Skips a test where a Python module is not installed: `@Test(.requiresPython("webvtt", of: "webvtt-py"))`.
    ///
    /// `package` is the name of the package that contains the module, if the names differ.
    public static func requiresPython(
        _ module: String, of package: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self {
        .enabled(
            if: run("python3", ["-c", "import \(module)"]).status == 0,
            "not installed: the Python package \(package ?? module)", sourceLocation: sourceLocation
        )
    }

    /// Skips a test where moto, a server with the interface of Amazon S3, is not installed.
    public static var requiresMoto: Self {
        .requiresPython(
            "boto3, flask, moto.server as m, moto; assert [*map(int, moto.__version__.split('.'))] >= [5, 2, 5]",
            of: "moto[s3,server] 5.2.5, which checks signatures of escaped keys")
    }

    /// Skips a test where independent test data is missing: `@Test(.requiresCorpus("wpt-webvtt/webvtt"))`.
    ///
    /// Without names, the test needs only the folder of the data. The data is not part of the repository; but where
    /// `UNDERTEXT_CORPUS` names its folder, the test runs, and fails where the folder lacks something.
    public static func requiresCorpus(
        _ names: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) -> Self {
        let missing = (names.isEmpty ? [""] : names).filter { corpusPath($0) == nil }
        return .enabled(
            if: missing.isEmpty || environment("UNDERTEXT_CORPUS") != nil,
            "no test data at \(missing.map { "../shared/corpus/\($0)" }.joined(separator: ", "))",
            sourceLocation: sourceLocation)
    }
}
