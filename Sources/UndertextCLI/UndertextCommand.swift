internal import ArgumentParser
internal import Undertext
internal import UndertextIO

/// The command `undertext`.
@main
struct UndertextCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undertext",
        abstract: "Finds, decodes, extracts and converts the subtitles of media files.",
        discussion: """
            EXAMPLES
              undertext probe movie.mkv                       what is in it
              undertext extract movie.mkv                     every track: WebVTT and PNG
              undertext extract --format native movie.mkv     every track as it is stored
              undertext extract --tracks en+text -o - movie.mkv   one track to standard output
              undertext convert film.sup film.idx             a subtitle file to another one
              undertext search --languages en movie.mkv       subtitles on the web
              undertext render --at 62 movie.mkv -o shot.png  what is shown at 1:02
              undertext hls package --video master.m3u8 --subtitle en=film.srt -o out   subtitles for HLS
              undertext serve --upstream URL --subtitle en=film.srt   and for somebody else's stream

            EXIT CODES
              0  all done                    1  not one output
              2  no subtitle track           3  input was lost, the rest is there
              64 usage                       130, 143  stopped by a signal
            """,
        version: undertextVersion,
        subcommands: [
            ProbeCommand.self, ExtractCommand.self, ConvertCommand.self, SearchCommand.self,
            RenderCommand.self, HLSCommand.self, ServeCommand.self,
        ])

    /// Runs the command; no output replaces a file that it reads.
    static func main() {
        InputFiles.record { run(Console()) }
    }

    /// Every way out goes through here.
    private static func run(_ console: Console) {
        if let mistake = CommandName.mistake(in: CommandLine.arguments.dropFirst()) {
            console.fail(mistake)
            console.say("See 'undertext --help'.")
            console.exit(ExitStatus.usage)
        }
        do {
            var command = try parseAsRoot(Arguments.all())
            if let extract = command as? ExtractCommand {
                console.exit(extract.execute(console))
            }
            if let convert = command as? ConvertCommand {
                console.exit(convert.execute(console))
            }
            if let render = command as? RenderCommand {
                console.exit(render.execute(console))
            }
            if let probe = command as? ProbeCommand {
                console.exit(probe.execute(console))
            }
            if let search = command as? SearchCommand {
                console.exit(search.execute(console))
            }
            if let package = command as? HLSPackageCommand {
                console.exit(package.execute(console))
            }
            if let serve = command as? ServeCommand {
                console.exit(serve.execute(console))
            }
            try command.run()
            console.exit(ExitStatus.success)
        } catch {
            // Help and version come as "errors" too; ArgumentParser knows where each belongs.
            let code = exitCode(for: error).rawValue
            if code == ExitStatus.success { exit(withError: error) }
            console.fail(message(for: error))
            if let help = CommandName.help(in: fullMessage(for: error, columns: 1000)) {
                console.say("See \(help).")
            }
            console.exit(code)
        }
    }
}
