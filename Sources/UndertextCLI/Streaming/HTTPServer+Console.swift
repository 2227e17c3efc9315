internal import UndertextCore
internal import UndertextIO
internal import UndertextServer

extension HTTPServer {
    /// Serves until the command is cancelled, and prints the address once the port is open.
    ///
    /// - Parameters:
    ///   - rules: The rules of the server.
    ///   - console: The console of the command.
    ///   - address: Returns the address for a port.
    ///   - opened: Does something with the address that was printed.
    /// - Throws: `UndertextError` if the port cannot be opened.
    func run(
        _ rules: ServerRules, _ console: Console, address: @escaping @Sendable (Int) -> String,
        opened: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(UndertextError) {
        DescriptorLimit.raise(to: wantedDescriptors)
        let end = Monitor<Result<Void, UndertextError>?>(nil)
        Task {
            let result: Result<Void, UndertextError>
            do throws(UndertextError) {
                try await run(rules, cancellation: console.cancellation) { port in
                    let output = StandardOutput()
                    try? output.write(address(port) + "\n")
                    try? output.flush()
                    opened(address(port))
                }
                result = .success(())
            } catch {
                result = .failure(error)
            }
            end.with { $0 = result }
            end.wakeAll(.consumers)
        }
        try end.wait(.consumers) { $0 }.get()
    }
}
