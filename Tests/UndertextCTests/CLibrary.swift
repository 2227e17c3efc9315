import Synchronization
import TestSupport
import Testing

/// The C library as it is installed, with the examples built against it.
///
/// Linked once from what the build of the tests left.
enum CLibrary {
    /// `thread` or `address` where the library is linked with that sanitizer (`Scripts/sanitized.sh`), and so are the
    /// programs then.
    static let sanitizer = environment("UNDERTEXT_SANITIZER")

    private static let count = Atomic(0)

    /// The prefix that it is installed under; `nil` if that failed, which is recorded.
    static let prefix: String? = {
        let folder = Repository.root + "/.build/debug/c/test"
        let result = run(
            Repository.root + "/Scripts/install.sh", [folder],
            environment: ["UNDERTEXT_CONFIGURATION": "debug", "DESTDIR": nil])
        if result.status != 0 { Issue.record("install.sh: \(result.text)\(result.stderr)") }
        return result.status == 0 ? folder : nil
    }()

    /// The shared library itself.
    static var path: String? { prefix.map { $0 + "/lib/libundertext.so.0" } }

    /// Builds a program of `Tests/CPrograms`.
    static func program(
        _ source: String, compiler: String = "gcc", language: [String] = ["-std=gnu11", "-pthread"]
    ) -> String? {
        example(source, compiler: compiler, language: language, folder: "Tests/CPrograms")
    }

    /// Runs a program as a user without Swift would, under valgrind.
    ///
    /// Nothing that was allocated may be lost, nothing read that was not written. A sanitizer looks by itself.
    static func checked(
        _ program: String, _ arguments: [String], environment: [String: String?] = [:]
    ) -> ToolResult {
        let plain = plainEnvironment.merging(environment) { $1 }
        guard sanitizer == nil else { return run(program, arguments, environment: plain) }
        let options = [
            "--quiet", "--leak-check=full", "--errors-for-leak-kinds=definite",
            "--error-exitcode=99",
        ]
        return run("valgrind", options + [program] + arguments, environment: plain)
    }

    /// Builds an example, as `make` does, with a compiler; `source` is in `folder` unless it is absolute.
    ///
    /// - Returns: the program's path; `nil` if it does not compile, which is recorded.
    static func example(
        _ source: String, compiler: String, language: [String] = ["-std=c11"],
        packages: [String] = ["undertext"], folder: String = "Examples"
    ) -> String? {
        guard let prefix else { return nil }
        let output = prefix + "/" + compiler + "-" + (source.split(separator: "/").last ?? "")
        // Another test may be running it, or making it, too.
        let made = output + ".\(count.wrappingAdd(1, ordering: .relaxed).newValue)"
        let flags = run(
            "pkg-config", ["--cflags", "--libs"] + packages,
            environment: ["PKG_CONFIG_PATH": prefix + "/lib/pkgconfig"])
        let compiler = sanitizer == nil ? compiler : compiler == "gcc" ? "clang" : "clang++"
        let swift = environment("UNDERTEXT_SWIFT_LIBRARIES") ?? ""
        let sanitizing =
            sanitizer.map {
                [
                    "-fsanitize=" + $0, "-L" + swift, "-Wl,-rpath," + swift, "-ldispatch",
                    "-lBlocksRuntime",
                ]
            } ?? []
        let path = source.hasPrefix("/") ? source : Repository.root + "/" + folder + "/" + source
        let words = flags.text.split(whereSeparator: \.isWhitespace).map(String.init)
        let result = run(
            compiler,
            language + sanitizing + [
                "-Wall", "-Wextra", "-Werror", "-pedantic", "-g", "-o", made,
            ]
                + [path] + words + ["-Wl,-rpath," + prefix + "/lib"])
        if flags.status != 0 || result.status != 0 {
            Issue.record("\(compiler) \(source): \(flags.stderr)\(result.stderr)")
            return nil
        }
        return run("mv", ["-f", made, output]).status == 0 ? output : nil
    }

    /// The directories of the system's own programs, without a Swift toolchain.
    static let plainEnvironment: [String: String?] = [
        "PATH": "/usr/local/bin:/usr/bin:/bin", "LD_LIBRARY_PATH": nil,
    ]
}
