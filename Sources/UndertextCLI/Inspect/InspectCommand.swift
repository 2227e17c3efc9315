internal import ArgumentParser
internal import CUndertextArguments
internal import CUndertextBrowser
internal import Undertext
internal import UndertextCore
internal import UndertextIO
internal import UndertextServer

/// `undertext inspect`.
struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Shows what is in media and subtitle files, in the browser.",
        discussion: """
            Opens a local web page with the streams and a timeline of every subtitle track, its cues as text and images, \
            the picture of a player, diagnostics, and what each format would lose. Tracks can be shifted, the text and the \
            times of cues corrected, the text of bitmap tracks recognized and corrected (requires Tesseract and its \
            language data), and tracks saved in other formats. Nothing is recognized or written unless the page is asked to.

            Prints the address of the page, which has a random token. Only this machine can connect, and only with the \
            whole address. The command ends with Ctrl-C.

            EXAMPLES
              undertext inspect movie.mkv
              undertext inspect movie.mkv movie.en.srt
              undertext inspect disc.sup
              undertext inspect --no-browser --port 8000 movie.ts
              undertext inspect https://host/master.m3u8
            """)

    @Argument(
        help: ArgumentHelp("Files or URLs (scheme://…).", valueName: "input"), completion: .file())
    var inputs: [String]

    @Option(help: ArgumentHelp("The port; 0 = any free port.", valueName: "n"))
    var port: UInt16 = 0

    @Flag(help: "Print the address without opening the browser.")
    var noBrowser = false

    @OptionGroup var charset: CharsetArgument

    @OptionGroup var verbosity: Verbosity

    /// Validates option combinations that ArgumentParser cannot check.
    func validate() throws {
        _ = try charset.name()
        guard !inputs.contains("-") else {
            throw ValidationError(
                "the inspector reads an input several times; save standard input to a file first")
        }
        guard inputs.count <= 32 else { throw ValidationError("at most 32 inputs are shown") }
    }

    /// Runs the command and returns its exit code.
    func execute(_ console: Console) -> Int32 {
        guard HTTPServer.isAvailable else {
            console.fail("this build has no server; build with the package trait Server")
            return ExitStatus.usage
        }
        // A wrong name is reported here rather than on a page.
        for input in inputs where !input.contains("://") && !FileSystem.exists(input) {
            console.fail(UndertextError(.notFound, "there is no such file", path: input))
            return ExitStatus.nothing
        }
        // Otherwise each of the server's threads keeps the 25 MB that libavformat needs to open an input.
        carguments_limit_arenas(2)
        var options = Media.Options()
        options.cancellation = console.cancellation
        options.charset = try? charset.name()
        let site = InspectorSite(inputs, options: options)
        do throws(UndertextError) {
            try serve(site, console)
            return ExitStatus.success
        } catch {
            if error.code != .cancelled { console.fail(error) }
            return ExitStatus.nothing
        }
    }

    private func serve(_ site: InspectorSite, _ console: Console) throws(UndertextError) {
        var server = HTTPServer(host: "127.0.0.1", port: Int(port))
        server.connections = 64
        let opensBrowser = !noBrowser && Self.hasScreen
        try server.run(
            site.rules, console, address: { "http://127.0.0.1:\($0)\(site.path)" },
            opened: { if opensBrowser { Self.open($0) } })
    }

    /// `true` if this session can show a browser.
    private static var hasScreen: Bool {
        ["DISPLAY", "WAYLAND_DISPLAY"].contains {
            SystemEnvironment.value(of: $0)?.isEmpty == false
        }
    }

    /// Opens an address; without a browser, the printed address remains.
    private static func open(_ address: String) {
        for byte in address.utf8 { cbrowser_append(byte) }
        _ = cbrowser_open()
    }
}
