internal import ArgumentParser
internal import Undertext
internal import UndertextCore
internal import UndertextIO
internal import UndertextLibrary

/// `undertext batch run`.
struct BatchRunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Extracts the subtitles of all files below folders that are new or changed.",
        discussion: """
            A journal records what was done to each file, so that a run continues where another one ended, and a second \
            run has little to do. Media and subtitle files are found by name, and by content where the name is unknown; \
            hidden files, discs' menus and what earlier runs wrote are left out. A file is done again if it has changed, \
            if its outputs are missing, or if other options decide its outputs. Outputs that others made are never \
            replaced without --force. Roots and -o may be s3:// URLs; objects are compared by size, time and ETag.

            EXAMPLES
              undertext batch run /media
              undertext batch run /media/films /media/series -o /srv/subtitles --format native
              undertext batch run /media --include '*.mkv' --exclude 'Extras/**' -j 4
              undertext batch run /media --retry failed --report report.jsonl
              undertext batch run --manifest plan.jsonl --shard 3/8 -o /srv/subtitles
              undertext batch run s3://films/new -o s3://subtitles/new -j 16
              undertext batch run --manifest plan.jsonl --shard 3/8 -o /srv/subtitles --log /srv/journals/3.log
              undertext batch run /nas --io-priority idle --max-read-rate 50M --time-limit 600
              undertext batch run /media -o /srv/subtitles --watch --report report.jsonl

            EXIT CODES
              0   everything was done, or there was nothing to do
              1   the run was not possible         3         inputs were lost or failed
              64  usage                            130, 143  interrupted by a signal
            """)

    @Argument(
        help: ArgumentHelp("Folders, files, or s3://BUCKET/FOLDER.", valueName: "root"),
        completion: .file())
    var roots: [String] = []

    @Option(
        help: ArgumentHelp(
            "A manifest of 'batch plan' in place of roots.", valueName: "file"), completion: .file()
    )
    var manifest: String?

    @Option(
        help: ArgumentHelp(
            "The part of the manifest, from 1, such as 3/8. (default: by the variables of Slurm, AWS Batch, Cloud Run "
                + "or Kubernetes, else all)",
            valueName: "i/n"))
    var shard: String?

    @Option(
        help: ArgumentHelp(
            "The number of parts where Kubernetes sets the index. (default: as planned)",
            valueName: "n"))
    var shards: Int?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "A folder, or s3://BUCKET/FOLDER, in which the outputs are arranged as the inputs are below their roots. "
                + "(default: beside each input; required for objects)",
            valueName: "dir"), completion: .directory)
    var output: String?

    @OptionGroup var what: BatchExtraction

    @OptionGroup var search: BatchSearchArguments

    @Option(
        help: ArgumentHelp(
            "The journal, on a local disk. (default: by the roots, in ~/.local/state/undertext)",
            valueName: "file"), completion: .file())
    var journal: String?

    @Option(
        help: ArgumentHelp(
            "The journal's log, also on a network file system; a new journal continues from it, such as on another "
                + "machine. (default: JOURNAL.log)",
            valueName: "file"))
    var log: String?

    @Option(
        help: ArgumentHelp(
            "Try inputs of earlier runs again: failed, partial, or both (failed,partial).",
            valueName: "outcomes"), completion: .list(["failed", "partial", "failed,partial"]))
    var retry: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The number of inputs to work on at a time. (default: the number of processors; on rotating disks one for "
                + "each disk)",
            valueName: "n"))
    var jobs: Int?

    @Option(
        help: ArgumentHelp(
            "Stop an input that takes longer, and record it as failed.", valueName: "seconds"))
    var timeLimit: Double?

    @OptionGroup var watching: BatchWatchArguments

    @OptionGroup var reading: ReadingOptions

    @Option(
        help: ArgumentHelp(
            "Progress on standard error: auto (a line on terminals), json (JSON Lines) or none.",
            valueName: "form"), completion: .list(["auto", "json", "none"]))
    var progress = "auto"

    @OptionGroup var verbosity: Verbosity

    /// Checks what ArgumentParser cannot: values that exclude each other.
    func validate() throws {
        guard roots.isEmpty != (manifest == nil) else {
            throw ValidationError("specify at least one folder, or --manifest")
        }
        guard manifest == nil || search.options == WalkOptions() else {
            throw ValidationError(
                "--include, --exclude, --follow-symlinks and --hidden decide what 'batch plan' lists; they have no effect "
                    + "with --manifest")
        }
        guard manifest != nil || shard == nil && shards == nil else {
            throw ValidationError(
                "--shard and --shards need --manifest; see 'undertext batch plan'")
        }
        guard manifest == nil || !watching.watch else {
            throw ValidationError(
                "--watch follows folders, and a manifest is a fixed list; leave out --manifest and specify folders"
            )
        }
        guard !watching.watch || !roots.contains(where: S3Location.isLocation) else {
            throw ValidationError(
                "--watch: object storage reports no changes; run 'undertext batch run' at intervals, such as with a "
                    + "systemd timer")
        }
        guard !watching.watch || what.extraction.report.map(S3Location.isLocation) != true else {
            throw ValidationError(
                "--watch adds to its report, which objects do not allow; specify a local file")
        }
        _ = try watching.options()
        guard shard == nil || shards == nil else {
            throw ValidationError("--shard states the number of parts; leave out --shards")
        }
        if let shard, Shard(shard) == nil {
            throw ValidationError(
                "--shard: '\(escapedForTerminal(shard))' is not a part such as 3/8")
        }
        if let shards, Shard(index: 1, count: shards) == nil {
            throw ValidationError("--shards: \(shards) is not a number from 1 to \(Shard.limit)")
        }
        guard !roots.contains("-") else {
            throw ValidationError(
                "'-' is not a folder; use 'undertext extract' for standard input")
        }
        try reading.check()
        _ = try options()
        try BatchRoots.validate(roots + [output].compactMap(\.self))
        try BatchRoots.requireOutput(output, for: roots)
        guard output != "-" else {
            throw ValidationError("-o: specify a folder; many inputs do not fit on standard output")
        }
        guard ["auto", "json", "none"].contains(progress) else {
            throw ValidationError(
                "--progress: '\(escapedForTerminal(progress))' is not one of auto, json, none")
        }
    }

    /// The rules of the run.
    func options() throws -> BatchOptions {
        var extraction = try what.options()
        extraction.reading.ioBlock = try reading.block()
        extraction.reading.rateLimiter = try reading.rate().map(RateLimiter.init(bytesPerSecond:))
        var options = BatchOptions(extraction: extraction)
        if let jobs {
            guard (1...1024).contains(jobs) else {
                throw ValidationError("--jobs: \(jobs) is not a number from 1 to 1024")
            }
            options.jobs = jobs
            // Virtual disks often claim to rotate, so a stated number replaces the limit.
            options.jobsPerRotatingDisk = jobs
        }
        if let timeLimit {
            guard timeLimit > 0, timeLimit <= 1e7 else {
                throw ValidationError("--time-limit: specify seconds, more than 0")
            }
            options.timeLimit = .milliseconds(Int64(timeLimit * 1000))
        }
        for word in (retry ?? "").split(separator: ",") {
            guard let outcome = RecordedOutcome(rawValue: String(word)),
                outcome == .failed || outcome == .partial
            else {
                throw ValidationError(
                    "--retry: '\(escapedForTerminal(String(word)))' is not one of failed, partial")
            }
            options.retry.insert(outcome)
        }
        return options
    }
}

/// The arguments of `--watch`.
struct BatchWatchArguments: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Stay, and process new and changed files until a signal ends the run. A report that exists is continued."
        ))
    var watch = false

    @Option(
        help: ArgumentHelp(
            "With --watch: a file is complete if it has not changed for so many seconds. (default: 2)",
            valueName: "seconds"))
    var settle: Double?

    @Option(
        help: ArgumentHelp(
            "With --watch: the seconds between scans of network file systems, and of folders that the kernel does not "
                + "watch. (default: 60)",
            valueName: "seconds"))
    var scanInterval: Double?

    /// The times of the watch; `nil` without one.
    func options() throws -> WatchOptions? {
        guard watch else {
            guard settle == nil, scanInterval == nil else {
                throw ValidationError("--settle and --scan-interval need --watch")
            }
            return nil
        }
        var options = WatchOptions()
        if let settle {
            guard settle >= 0.1, settle <= 86_400 else {
                throw ValidationError("--settle: specify seconds from 0.1 to 86400")
            }
            options.settling = .milliseconds(Int64(settle * 1000))
        }
        if let scanInterval {
            guard scanInterval >= 1, scanInterval <= 86_400 else {
                throw ValidationError("--scan-interval: specify seconds from 1 to 86400")
            }
            options.scanInterval = .milliseconds(Int64(scanInterval * 1000))
        }
        return options
    }
}

/// Which files of a folder are inputs.
struct BatchSearchArguments: ParsableArguments {
    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Only files that match: a name ('*.mkv') or a path below the root ('Films/**/*.mkv'); may be repeated.",
            valueName: "glob"))
    var include: [String] = []

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Leave out files and folders that match; may be repeated.", valueName: "glob"))
    var exclude: [String] = []

    @Flag(help: "Follow symbolic links; each folder is entered once.")
    var followSymlinks = false

    @Flag(help: "Include hidden files and folders.")
    var hidden = false

    /// The rules of the walk.
    var options: WalkOptions {
        var options = WalkOptions()
        options.includes = include.map(PathGlob.init)
        options.excludes = exclude.map(PathGlob.init)
        options.followsLinks = followSymlinks
        options.includesHidden = hidden
        return options
    }
}
