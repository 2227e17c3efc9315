internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO

/// Checks of all inputs before anything is written.
enum OutputCheck {
    /// Throws for an invalid combination of outputs, and refuses each input whose outputs cannot be written.
    ///
    /// Two outputs of one input with the same path refuse the run; of two inputs the second one fails.
    static func refuseConflicts(
        _ inputs: inout [PreparedInput], options: ExtractionOptions
    ) throws(UndertextError) {
        if let report = options.report { try check(report: report, options) }
        if options.destination == .standardOutput {
            try refuseSharedStandardOutput(inputs)
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
                    inputs[index].refuse(UndertextError(.outputIsInput, Self.isInputText(path)))
                    break
                }
                try refuseInput(path)
                guard path != options.report, own.insert(path).inserted else {
                    let other = path == options.report ? "the report" : "another output of it"
                    throw UndertextError(
                        .invalidRequest,
                        "an output of '\(name)' and \(other) would both be written to '\(path)'; use "
                            + "another file or folder for one of them")
                }
            }
            guard inputs[index].refusal == nil else { continue }
            if let path = paths.first(where: { owners[$0] != nil }), let owner = owners[path] {
                inputs[index].refuse(
                    UndertextError(
                        .outputClash, "'\(path)' is written for '\(owner)' already",
                        remedy: .separateOutputs))
            } else if options.existing == .refuse {
                refuse(
                    &inputs[index], ifTaken: paths.filter { !options.ownOutputs.contains($0) },
                    options.outputs)
            }
            guard inputs[index].refusal == nil else { continue }
            for path in paths { owners[path] = name }
        }
    }

    private static func refuse(
        _ input: inout PreparedInput, ifTaken paths: [String], _ outputs: OutputStore
    ) {
        let folders = input.plan?.folders ?? []
        var present: [String] = []
        do throws(UndertextError) {
            for path in paths
            where try isTaken(path, isFolder: folders.contains(path), outputs) {
                present.append(path)
            }
        } catch {
            return input.refuse(unwritable(PathName.directoryName(paths.first ?? ""), error))
        }
        guard let first = present.first else { return }
        let verb = present.count > 1 ? " and \(present.count - 1) more exist" : " exists"
        input.refuse(
            UndertextError(
                .outputExists, "'\(first)'\(verb) already; nothing of this input was written",
                remedy: .set(.existing)))
    }

    private static func check(
        report: String, _ options: ExtractionOptions
    ) throws(UndertextError) {
        try refuseInput(report)
        guard options.existing == .refuse, try isTaken(report, options.outputs) else { return }
        throw UndertextError(
            .outputExists, "the report '\(report)' exists already; nothing was written",
            remedy: .set(.existing))
    }

    /// An output must never replace what is being read.
    private static func refuseInput(_ path: String) throws(UndertextError) {
        guard isInput(path) else { return }
        throw UndertextError(.invalidRequest, isInputText(path))
    }

    /// An image folder is its own input where the XML in it is.
    private static func isInput(_ path: String) -> Bool {
        InputFiles.contains(path)
            || InputFiles.contains(PathName.joining(path, ImageIndex.xmlName))
    }

    private static func isInputText(_ path: String) -> String {
        "'\(path)' is an input and would be overwritten; use another file"
    }

    /// Why outputs cannot be written to a folder.
    static func unwritable(_ folder: String, _ error: UndertextError) -> UndertextError {
        UndertextError(
            error.code, "nothing can be written to '\(folder)': \(error.message)",
            underlying: error.underlying)
    }

    /// Refuses several tracks for a single output file.
    private static func refuseSeveralTracks(
        _ inputs: [PreparedInput], _ path: String, _ options: ExtractionOptions
    ) throws(UndertextError) {
        guard inputs.count <= 1 else {
            throw UndertextError(
                .invalidRequest,
                "'\(path)' can hold one track, but there are \(inputs.count) inputs; specify one input, "
                    + "or a folder")
        }
        let items = inputs.flatMap { $0.plan?.items ?? [] }
        guard items.count <= 1 else {
            let tracks = items.map(\.stream.label).joined(separator: ", ")
            throw UndertextError(
                .invalidRequest,
                "'\(path)' can hold one track, but \(items.count) are selected: \(tracks)",
                remedy: .set(.tracks, to: items.map { "\($0.stream.index)" }))
        }
        guard !options.allowsOtherExtensions, let implied = SubtitleFormat(path: path),
            let format = items.first?.format, !implied.makes(sameFilesAs: format)
        else { return }
        throw UndertextError(
            .invalidRequest,
            "'\(path)' is named as \(implied.name), but the track becomes \(format.name); use another name "
                + "or format")
    }

    /// `true` if something is there that a new file would replace; pipes and devices are not.
    private static func isTaken(
        _ path: String, isFolder: Bool = false, _ outputs: OutputStore
    ) throws(UndertextError) -> Bool {
        guard try outputs.exists(path, isFolder: isFolder) else { return false }
        guard let kind = try? FileKind(of: path) else { return true }
        return kind != .pipe
    }

    /// Standard output takes one text track, or JSON of any.
    private static func refuseSharedStandardOutput(
        _ inputs: [PreparedInput]
    ) throws(UndertextError) {
        guard inputs.count <= 1 else {
            throw UndertextError(
                .invalidRequest,
                "standard output can hold one input, but there are \(inputs.count)",
                remedy: .set(.destination))
        }
        let items = inputs.flatMap { $0.plan?.items ?? [] }.filter { $0.verdict == nil }
        if items.allSatisfy({ $0.format?.isRecords == true }) { return }
        let isOneText =
            items.count == 1 && items[0].format?.takes.contains(.text) == true
        guard isOneText else {
            let isOne = items.count == 1
            throw UndertextError(
                .invalidRequest,
                "standard output can hold one text track, or any as JSON, but "
                    + (isOne
                        ? "the selected track is not text" : "\(items.count) tracks are selected"),
                remedy: isOne ? .set(.format, to: [SubtitleFormat.json.name]) : .set(.tracks))
        }
    }
}

/// The folders of a run's outputs, made and tried before anything is read.
struct OutputFolders {
    private let made: [String]

    /// Makes the folders that outputs go to and makes sure that files can be made there.
    ///
    /// An input whose folder cannot be written is refused: one reason says it all, where every track would
    /// fail for the same one.
    static func prepare(
        _ inputs: inout [PreparedInput], options: ExtractionOptions
    ) throws(UndertextError) -> OutputFolders {
        let paths = inputs.flatMap { $0.plannedPaths(options) }
        let folders = Set(paths.map(PathName.directoryName)).sorted()
        var made: [String] = []
        var failures: [String: UndertextError] = [:]
        for folder in folders {
            do throws(UndertextError) {
                if !S3Location.isLocation(folder), !FileSystem.isDirectory(folder) {
                    try refuseToMake(folder, options)
                    made += try FileSystem.createDirectory(folder)
                }
                try options.outputs.check(folder: folder)
            } catch {
                failures[folder] = error
            }
        }
        for index in inputs.indices where !failures.isEmpty {
            let folders = inputs[index].plannedPaths(options).lazy.map(PathName.directoryName)
            guard let folder = folders.first(where: { failures[$0] != nil }),
                let error = failures[folder]
            else { continue }
            inputs[index].refuse(OutputCheck.unwritable(folder, error))
        }
        do throws(UndertextError) {
            try options.report.map { path throws(UndertextError) in
                try Self.tryReport(path, options.outputs)
            }
        } catch {
            FileSystem.removeDirectories(made)
            throw UndertextError(error.code, "the report cannot be written: \(error.description)")
        }
        return OutputFolders(made: made)
    }

    /// A file that is named goes where a folder is, as with every other tool; a folder that is named
    /// is made.
    private static func refuseToMake(
        _ folder: String, _ options: ExtractionOptions
    ) throws(UndertextError) {
        guard case .file(let path) = options.destination, !path.hasSuffix("/"),
            folder != options.attachments
        else { return }
        throw UndertextError(.notFound, "the folder does not exist; create it first", path: folder)
    }

    /// Makes sure that a report can be written: at the end of hours of work it would be too late.
    private static func tryReport(
        _ path: String, _ outputs: OutputStore
    ) throws(UndertextError) {
        let kind = try? FileKind(of: path)
        if kind == .directory {
            throw UndertextError(.io, "it is a folder; specify a file", path: path)
        }
        if kind == .pipe || kind == .other { return }
        let folder = PathName.directoryName(path)
        do throws(UndertextError) {
            try outputs.check(folder: folder)
        } catch {
            var placed = error
            placed.path = path
            throw placed
        }
    }

    /// Removes the folders that were made and got nothing.
    func removeEmpty() { FileSystem.removeDirectories(made) }
}
