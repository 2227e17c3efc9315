internal import SystemIO

/// What is checked over all inputs before anything is written.
enum OutputCheck {
    static func refuseConflicts(
        _ inputs: [PreparedInput], options: ExtractionOptions
    ) throws(ExtractionRefusal) {
        if let report = options.report { try refuseInput(report, inputs) }
        if options.destination == .standardOutput {
            try refuseSharedStandardOutput(inputs, options: options)
        }
        if case .file(let path) = options.destination { try refuseSeveralTracks(inputs, path) }
        var owners: [String: String] = [:]
        if let report = options.report { owners[report] = "the report" }
        for input in inputs {
            for path in input.plannedPaths(options) {
                try refuseInput(path, inputs)
                if let other = owners[path] {
                    let both =
                        other == input.input.argument
                        ? "two outputs of '\(other)'"
                        : "'\(other)' and '\(input.input.argument)'"
                    throw ExtractionRefusal(
                        exitCode: ExitStatus.usage,
                        description: "\(both) would both write '\(path)'; "
                            + (options.command == .convert
                                ? "name another file"
                                : "run them one by one with different folders (-o)"))
                }
                owners[path] = input.input.argument
            }
        }
        guard options.existing == .refuse else { return }
        let planned =
            inputs.flatMap { $0.plannedPaths(options) } + (options.report.map { [$0] } ?? [])
        let present = planned.filter(isTaken)
        guard let first = present.first else { return }
        let verb = present.count > 1 ? " and \(present.count - 1) more exist" : " exists"
        throw ExtractionRefusal(
            exitCode: ExitStatus.nothing,
            description: "'\(first)'\(verb) already; nothing was written. "
                + "Use --force to replace, --skip-existing to leave it, or "
                + (options.command == .convert ? "another name" : "another folder (-o)"))
    }

    /// An output must never replace what is being read.
    private static func refuseInput(
        _ path: String, _ inputs: [PreparedInput]
    ) throws(ExtractionRefusal) {
        // A picture folder is its own input where the XML in it is.
        let inFolder = PathName.joining(path, PictureIndex.xmlName)
        let resolved = inputs.map { (try? PictureFolder.resolved($0.input)) ?? $0.input }
        for case .file(let input) in resolved
        where FileSystem.isSameFile(path, input) || FileSystem.isSameFile(inFolder, input) {
            throw ExtractionRefusal(
                exitCode: ExitStatus.usage,
                description: "'\(path)' is an input and would be overwritten; name another file")
        }
    }

    /// One file takes one track.
    private static func refuseSeveralTracks(
        _ inputs: [PreparedInput], _ path: String
    ) throws(ExtractionRefusal) {
        let items = inputs.flatMap { $0.plan?.items ?? [] }
        guard items.count > 1 || inputs.count > 1 else { return }
        let tracks = items.map { item in
            "\(item.stream.index) (\(item.stream.language?.rawValue ?? "und"), \(item.stream.codec))"
        }
        throw ExtractionRefusal(
            exitCode: ExitStatus.usage,
            description: "'\(path)' takes one track, and \(items.count) are selected: "
                + "choose one of \(tracks.joined(separator: ", ")) with --tracks")
    }

    /// Whether something is there that a new file would replace; pipes and devices are not.
    private static func isTaken(_ path: String) -> Bool {
        guard FileSystem.exists(path) else { return false }
        guard let kind = try? FileKind(of: path) else { return true }
        return kind != .pipe
    }

    /// Standard output takes one text track, or JSON of any.
    private static func refuseSharedStandardOutput(
        _ inputs: [PreparedInput], options: ExtractionOptions
    ) throws(ExtractionRefusal) {
        guard inputs.count <= 1 else {
            throw ExtractionRefusal(
                exitCode: ExitStatus.usage,
                description: "'-o -' takes one input; give one, or a folder with -o DIR")
        }
        let items = inputs.flatMap { $0.plan?.items ?? [] }.filter { $0.verdict == nil }
        if items.allSatisfy({ $0.format == .json }) { return }
        let isOneText =
            items.count == 1 && items[0].format?.takes.contains(.text) == true
        guard isOneText else {
            let option = options.command == .convert ? "--to" : "--format"
            let found =
                items.count == 1
                ? "the selected track is not text: add \(option) json"
                : "\(items.count) tracks are selected: choose one with --tracks"
            throw ExtractionRefusal(
                exitCode: ExitStatus.usage,
                description: (options.command == .convert ? "an output '-'" : "'-o -'")
                    + " takes one text track, or any with \(option) json; \(found)")
        }
    }
}
