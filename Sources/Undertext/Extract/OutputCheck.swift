internal import UndertextIO

/// What is checked over all inputs before anything is written.
enum OutputCheck {
    /// Refuses a run that cannot be meant, and each input whose outputs cannot be written.
    ///
    /// Two outputs of one input with the same path refuse the run; of two inputs the second one fails.
    static func refuseConflicts(
        _ inputs: inout [PreparedInput], options: ExtractionOptions
    ) throws(ExtractionRefusal) {
        if let report = options.report { try check(report: report, options) }
        if options.destination == .standardOutput {
            try refuseSharedStandardOutput(inputs, options: options)
        }
        if case .file(let path) = options.destination {
            try refuseSeveralTracks(inputs, path, options)
        }
        var owners: [String: String] = [:]
        for index in inputs.indices {
            let paths = inputs[index].plannedPaths(options)
            let name = inputs[index].input.argument
            var own: Set<String> = []
            for path in paths {
                if inputs.count > 1, isInput(path) {
                    inputs[index].refuse(OutputError.Code.isInput.name, Self.isInputText(path))
                    break
                }
                try refuseInput(path)
                guard path != options.report, own.insert(path).inserted else {
                    let other = path == options.report ? "the report" : "another output of it"
                    throw ExtractionRefusal(
                        exitCode: ExitStatus.usage,
                        description: "'\(name)' and \(other) would both write '\(path)'; "
                            + "choose another file or folder for one of them")
                }
            }
            guard inputs[index].refusal == nil else { continue }
            if let path = paths.first(where: { owners[$0] != nil }), let owner = owners[path] {
                inputs[index].refuse(
                    "output-clash", "'\(path)' is written for '\(owner)' already")
            } else if options.existing == .refuse {
                refuse(&inputs[index], ifTaken: paths)
            }
            guard inputs[index].refusal == nil else { continue }
            for path in paths { owners[path] = name }
        }
    }

    private static func refuse(_ input: inout PreparedInput, ifTaken paths: [String]) {
        let present = paths.filter(isTaken)
        guard let first = present.first else { return }
        let verb = present.count > 1 ? " and \(present.count - 1) more exist" : " exists"
        input.refuse(
            OutputError.Code.exists.name,
            "'\(first)'\(verb) already; nothing of this input was written")
    }

    private static func check(
        report: String, _ options: ExtractionOptions
    ) throws(ExtractionRefusal) {
        try refuseInput(report)
        guard options.existing == .refuse, isTaken(report) else { return }
        throw ExtractionRefusal(
            exitCode: ExitStatus.nothing,
            description: "the report '\(report)' exists already; nothing was written",
            code: OutputError.Code.exists.name)
    }

    /// An output must never replace what is being read.
    private static func refuseInput(
        _ path: String
    ) throws(ExtractionRefusal) {
        guard isInput(path) else { return }
        throw ExtractionRefusal(exitCode: ExitStatus.usage, description: isInputText(path))
    }

    /// An image folder is its own input where the XML in it is.
    private static func isInput(_ path: String) -> Bool {
        InputFiles.contains(path)
            || InputFiles.contains(PathName.joining(path, ImageIndex.xmlName))
    }

    private static func isInputText(_ path: String) -> String {
        "'\(path)' is an input and would be overwritten; name another file"
    }

    /// One file takes one track, in the format that its name tells.
    private static func refuseSeveralTracks(
        _ inputs: [PreparedInput], _ path: String, _ options: ExtractionOptions
    ) throws(ExtractionRefusal) {
        func refusal(_ description: String) -> ExtractionRefusal {
            ExtractionRefusal(exitCode: ExitStatus.usage, description: description)
        }
        guard inputs.count <= 1 else {
            throw refusal(
                "'\(path)' takes one track, and \(inputs.count) inputs are named: name one, or a folder "
                    + "for the outputs")
        }
        let items = inputs.flatMap { $0.plan?.items ?? [] }
        guard items.count <= 1 else {
            let tracks = items.map { item in
                "\(item.stream.index) (\(item.stream.language?.rawValue ?? "und"), \(item.stream.codec))"
            }
            throw refusal(
                "'\(path)' takes one track, and \(items.count) are selected: "
                    + "choose one of \(tracks.joined(separator: ", ")) with --tracks")
        }
        guard options.command == .extract, let told = SubtitleFormat(path: path),
            let format = items.first?.format, !told.makes(sameFilesAs: format)
        else { return }
        throw refusal(
            "'\(path)' is a name for \(told.name), and the track becomes \(format.name): name "
                + "one of them")
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
        if items.allSatisfy({ $0.format?.isRecords == true }) { return }
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
