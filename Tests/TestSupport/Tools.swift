internal import Dispatch
internal import Glibc

/// The result of running a tool.
public struct ToolResult: Sendable {
    /// The exit code, or 128 + the signal that ended it; 127 if it could not be started.
    public var status: Int32
    /// The bytes of its standard output.
    public var stdout: [UInt8]
    /// The text of its standard error.
    public var stderr: String
    /// ``stdout`` as text, with repair of invalid UTF-8.
    public var text: String { String(decoding: stdout, as: UTF8.self) }
}

/// `true` if `tool` exists in `PATH` or in `/usr/sbin` (or is the path of an executable).
public func hasTool(_ tool: String) -> Bool { toolPath(tool) != nil }

/// Runs a tool to its end.
///
/// The three streams are files, so that no amount of output blocks either side.
///
/// `tool` is a name that `PATH` resolves, or a path. In `environment` a value of `nil` removes the
/// variable. `directory` is its current folder.
public func run(
    _ tool: String, _ args: [String] = [], stdin: [UInt8] = [],
    environment changes: [String: String?] = [:], directory: String? = nil
) -> ToolResult {
    guard let path = toolPath(tool) else {
        return ToolResult(status: 127, stdout: [], stderr: "\(tool): not found")
    }
    let scratch = TemporaryDirectory()
    scratch.write(stdin, to: "in")
    // The folder of a child can only be set by the child: env does it.
    let launcher = directory.map { ("/usr/bin/env", ["env", "-C", $0, path] + args) }
    let (program, argv) = launcher ?? (path, [tool] + args)
    let process = spawn(
        program, argv, variables: variables(changing: changes), input: scratch / "in",
        output: scratch / "out", error: scratch / "err")
    guard let process else {
        return ToolResult(status: 127, stdout: [], stderr: "\(tool): could not be started")
    }
    return ToolResult(
        status: waitForExit(process), stdout: fileBytes(scratch / "out") ?? [],
        stderr: String(decoding: fileBytes(scratch / "err") ?? [], as: UTF8.self))
}

/// Starts a program that reads and writes files; its process number, or `nil`.
///
/// For tests that send signals, none of which it ignores or blocks at its start; end it with
/// ``waitForExit(_:)``.
public func spawn(
    _ path: String, _ argv: [String], variables: [String]? = nil, input: String, output: String,
    error: String
) -> Int32? {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
    let written = O_WRONLY | O_CREAT | O_TRUNC
    unsafe posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 1, output, written, 0o600)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, error, written, 0o600)

    // A test runner that blocks or ignores signals would hand that down.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe _ = posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(
        &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    var process: pid_t = 0
    let started = unsafe withCStrings(argv) { argv in
        unsafe withCStrings(variables ?? currentVariables()) { envp in
            unsafe posix_spawn(&process, path, &actions, &attributes, argv, envp)
        }
    }
    return started == 0 ? process : nil
}

/// Sends a signal to a process of ``spawn(_:_:variables:input:output:error:)``.
public func send(signal: Int32, to process: Int32) { kill(process, signal) }

/// Waits for a process of ``spawn(_:_:variables:input:output:error:)`` to end; it is killed after ten
/// minutes, or a tool that hangs would hang all tests.
///
/// - Returns: its exit code, or 128 + the signal that ended it.
public func waitForExit(_ process: Int32) -> Int32 {
    let last = DispatchWorkItem { send(signal: SIGKILL, to: process) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 600, execute: last)
    defer { last.cancel() }
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 {
        guard errno == EINTR else { return 127 }
    }
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
}

/// The value of an environment variable.
public func environment(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
}

/// The path of a tool, as ``hasTool(_:)`` finds it.
func toolPath(_ tool: String) -> String? {
    if tool.contains("/") { return unsafe access(tool, X_OK) == 0 ? tool : nil }
    // Servers are in /usr/sbin, which not everyone's PATH has.
    let search = (environment("PATH") ?? "/usr/bin:/bin") + ":/usr/sbin"
    for folder in search.split(separator: ":") {
        let path = "\(folder)/\(tool)"
        if unsafe access(path, X_OK) == 0 { return path }
    }
    return nil
}

private func currentVariables() -> [String] { variables(changing: [:]) }

private func variables(changing changes: [String: String?]) -> [String] {
    var result: [String] = []
    var next = unsafe environ
    while let entry = unsafe next.pointee {
        let text = unsafe String(cString: entry)
        let name = String(text.prefix { $0 != "=" })
        if changes[name] == nil { result.append(text) }
        unsafe next += 1
    }
    for (name, value) in changes {
        if let value { result.append("\(name)=\(value)") }
    }
    return result
}

private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var pointers = unsafe strings.map { unsafe strdup($0) }
    unsafe pointers.append(nil)
    defer { for index in strings.indices { unsafe free(pointers[index]) } }
    return unsafe pointers.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { preconditionFailure("never empty") }
        return unsafe body(base)
    }
}
