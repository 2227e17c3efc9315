import TestSupport
import Testing

/// The built command, run as a user would.
enum Command {
    /// Beside the test bundle, whichever folder and configuration was built.
    static let path: String = {
        let bundle = CommandLine.arguments.first { $0.hasSuffix("PackageTests.xctest") }
        let folder = bundle.map { String($0[..<($0.lastIndex(of: "/") ?? $0.startIndex)]) }
        return (folder ?? Repository.root + "/.build/debug") + "/undertext"
    }()

    /// Runs `undertext` with arguments.
    static func undertext(
        _ arguments: String..., stdin: [UInt8] = [], directory: String? = nil
    ) -> ToolResult {
        run(path, arguments, stdin: stdin, directory: directory)
    }

    static func undertext(
        _ arguments: [String], environment: [String: String?] = [:], directory: String? = nil
    ) -> ToolResult {
        run(path, arguments, environment: environment, directory: directory)
    }
}

extension ToolResult {
    /// The messages on standard error other than the list of outputs, in lines `PATH: …`.
    var notes: [Substring] {
        stderr.split(separator: "\n").filter { line in
            let path = line.prefix { $0 != ":" }
            return !path.hasPrefix("/") || path.split(separator: "/").last?.contains(".") != true
        }
    }
}
