internal import ArgumentParser
internal import UndertextCore
internal import UndertextIO
internal import UndertextLibrary

/// `undertext batch plan`.
struct BatchPlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Lists the inputs below folders in a manifest that array jobs divide.",
        discussion: """
            The manifest has a line of JSON for each input, in the order of the folders. 'batch run --manifest' takes \
            one part of it: inputs are divided by the bytes that reading them takes, so that the parts take about the \
            same time. Paths are absolute: all machines must have the files in the same place.

            EXAMPLES
              undertext batch plan /media --manifest plan.jsonl --shards 8
              undertext batch run --manifest plan.jsonl --shard 3/8 -o /srv/subtitles
              undertext batch plan s3://films --manifest plan.jsonl --shards 8

            EXIT CODES
              0   the manifest is complete         1    the run was not possible
              3   folders could not be read        64   usage
            """)

    @Argument(
        help: ArgumentHelp("Folders, files, or s3://BUCKET/FOLDER.", valueName: "root"),
        completion: .file())
    var roots: [String]

    @Option(
        help: ArgumentHelp("The manifest to write, or '-' for standard output.", valueName: "file"),
        completion: .file())
    var manifest: String

    @Option(help: ArgumentHelp("The number of parts.", valueName: "n"))
    var shards = 1

    @OptionGroup var search: BatchSearchArguments

    @Option(
        help: ArgumentHelp(
            "The folder of outputs, which is not entered; as in 'batch run -o'.", valueName: "dir"),
        completion: .directory)
    var output: String?

    @Flag(help: "Replace a manifest that exists.")
    var force = false

    /// Checks what ArgumentParser cannot.
    func validate() throws {
        guard !roots.isEmpty else { throw ValidationError("specify at least one folder") }
        try BatchRoots.validate(roots + [output].compactMap(\.self))
        guard !S3Location.isLocation(manifest) else {
            throw ValidationError("--manifest: specify a local file, and copy it")
        }
        guard Shard(index: 1, count: shards) != nil else {
            throw ValidationError("--shards: \(shards) is not a number from 1 to \(Shard.limit)")
        }
    }

    /// Runs the command and gives its exit code.
    func execute(_ console: Console) -> Int32 {
        var failures = 0
        do throws(UndertextError) {
            guard force || manifest == "-" || !FileSystem.exists(manifest) else {
                throw UndertextError(
                    .outputExists, "the manifest exists already; use --force to replace it",
                    path: manifest)
            }
            let roots = try BatchRoots.canonical(roots)
            try BatchRoots.check(roots, console)
            var walk = search.options
            let folder = try output.flatMap { output throws(UndertextError) in
                try BatchRoots.canonical(output)
            }
            if let folder { walk.excludedFolders = [folder] }
            let walker = InputWalker(
                roots: roots, options: walk, cancellation: console.cancellation
            ) { error in
                failures += 1
                console.fail(error)
            }
            var entries: [Manifest.Entry] = []
            while !console.cancellation.isCancelled, let file = walker.next() {
                entries.append(Manifest.Entry(file))
            }
            guard !console.cancellation.isCancelled else {
                throw UndertextError(.cancelled, "interrupted; no manifest was written")
            }
            try Manifest(shards: shards, roots: roots, entries: entries)
                .write(to: manifest, replacing: force)
            let inputs = "\(entries.count) \(entries.count == 1 ? "input" : "inputs")"
            console.say("\(inputs), \(shards) \(shards == 1 ? "part" : "parts")")
        } catch {
            console.fail(error)
            return ExitStatus.nothing
        }
        return failures == 0 ? ExitStatus.success : ExitStatus.partial
    }
}
