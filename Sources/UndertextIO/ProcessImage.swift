internal import Glibc
internal import UndertextCore

/// The program that this process runs.
package enum ProcessImage {
    /// Replaces it with another program, which keeps the process number, open descriptors and signals; C: `execv`.
    ///
    /// It returns if the program cannot be run.
    ///
    /// - Parameters:
    ///   - path: The program, which is also the name that it gets.
    ///   - arguments: Its arguments, with any bytes as ``UndertextCore/PathText`` represents them.
    ///   - variable: A variable that is added to the environment.
    package static func replace(
        with path: String, arguments: [String], setting variable: (name: String, value: String)
    ) {
        unsafe setenv(variable.name, PathText.systemPath(variable.value), 1)
        var words = unsafe ([path] + arguments).map { unsafe strdup(PathText.systemPath($0)) }
        defer { for index in unsafe words.indices { unsafe free(words[index]) } }
        unsafe words.append(nil)
        unsafe execv(PathText.systemPath(path), words)
    }
}
