internal import ArgumentParser
internal import Undertext
internal import UndertextCore
internal import UndertextIO

/// The command `undertext`.
@main
struct UndertextCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undertext",
        abstract: "Finds, decodes, extracts and converts the subtitles of media files.",
        discussion: """
            EXAMPLES
              undertext probe movie.mkv                        streams and tracks
              undertext extract movie.mkv                      all as WebVTT and PNG
              undertext extract --format native movie.mkv      all as stored
              undertext extract --format srt movie.mkv         text as SubRip
              undertext extract --tracks en+text -o - a.mkv    to standard output
              undertext batch run /media                       a whole library, once
              undertext convert movie.sup movie.idx            another format
              undertext sync a.srt --to movie.mkv -o b.srt     times that fit the video
              undertext check --profile netflix movie.en.srt   delivery rules
              undertext search --languages en movie.mkv        online services
              undertext render --at 62 movie.mkv -o shot.png   the overlay at 1:02
              undertext hls package --video master.m3u8 --subtitle en=en.srt -o out
              undertext serve --upstream URL --subtitle en=en.srt
              undertext inspect movie.mkv                      a local web page

            EXIT CODES
              0  done                          1         nothing was written
              2  no matching subtitle track    3         input was lost, rest kept
              64 usage                         130, 143  interrupted by a signal
            Several inputs: the common code if all agree; 0 if each ended with 0 or 2;
            otherwise 3.
            """,
        version: undertextVersion,
        subcommands: [
            ProbeCommand.self, ExtractCommand.self, BatchCommand.self, ConvertCommand.self,
            SyncCommand.self, CheckCommand.self, SearchCommand.self,
            RenderCommand.self, HLSCommand.self, ServeCommand.self,
            InspectCommand.self,
        ])

    /// Runs the command; outputs never replace a file that the run reads.
    static func main() {
        FFmpegStandIn.runIfNamed()
        InputFiles.record { run(Console()) }
    }

    /// Runs the command and exits with its code.
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
            if let batch = command as? BatchRunCommand {
                console.exit(batch.execute(console))
            }
            if let plan = command as? BatchPlanCommand {
                console.exit(plan.execute(console))
            }
            if let status = command as? BatchStatusCommand {
                console.exit(status.execute(console))
            }
            if let merge = command as? BatchMergeCommand {
                console.exit(merge.execute(console))
            }
            if let convert = command as? ConvertCommand {
                console.exit(convert.execute(console))
            }
            if let sync = command as? SyncCommand {
                console.exit(sync.execute(console))
            }
            if let check = command as? CheckCommand {
                console.exit(check.execute(console))
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
            if let inspect = command as? InspectCommand {
                console.exit(inspect.execute(console))
            }
            try command.run()
            console.exit(ExitStatus.success)
        } catch {
            // ArgumentParser throws help and version texts as errors, and selects standard output or standard
            // error.
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
