internal import Undertext
internal import UndertextCore
internal import UndertextFormats
internal import UndertextIO
internal import UndertextLibrary

extension BatchRunCommand {
    /// Runs the command and gives its exit code.
    func execute(_ console: Console) -> Int32 {
        guard var options = try? options() else { return ExitStatus.usage }
        reading.applyPriority(console)
        do throws(UndertextError) {
            let roots = try canonicalRoots()
            if let output {
                try FileSystem.createDirectory(output)
                options.outputFolder = FileSystem.canonical(output)
            }
            let journal = try openJournal(roots, outputFolder: options.outputFolder, console)
            let report = try what.extraction.report.map { path throws(UndertextError) in
                try BatchReportFile(path: path, replacing: what.extraction.force)
            }
            return try run(
                BatchTask(
                    roots: roots, walk: walkOptions(roots, options), options: options,
                    journal: journal, report: report), console)
        } catch {
            let advice = error.code == .networkJournal ? "; use --journal FILE" : ""
            console.fail(error.summary + advice, details: error.details)
            return ExitStatus.nothing
        }
    }

    private func run(_ task: BatchTask, _ console: Console) throws(UndertextError) -> Int32 {
        let progress = BatchProgress(
            form: progress, quiet: verbosity.quiet, roots: task.roots, walk: task.walk,
            cancellation: console.cancellation)
        let output = BatchConsole(
            console: console, verbosity: verbosity, progress: progress, report: task.report)
        let batch = BatchRun(
            options: task.options, journal: task.journal, cancellation: console.cancellation,
            form: { report in
                let code = ExitStatus.code(of: report.outcome)
                return ReportForm(
                    exitCode: code, json: ReportJSON.input(report, exitCode: code))
            }, report: output.tell)
        let walker = FolderWalker(
            roots: task.roots, options: task.walk, fail: batch.note(unreadable:))
        let summary: BatchSummary
        do throws(UndertextError) {
            summary = try batch.perform(walker.next)
        } catch {
            progress.stop()
            throw error
        }
        progress.stop()
        try task.journal.close()
        output.tell(summary)
        try output.finish(summary)
        return summary.isComplete ? ExitStatus.success : ExitStatus.partial
    }

    /// The roots from the root of the file system on, without those that lie in others.
    private func canonicalRoots() throws(UndertextError) -> [String] {
        var found: [String] = []
        for root in roots {
            guard let path = FileSystem.canonical(root) else {
                throw UndertextError(
                    .notFound, "there is no such folder; check the path", path: root)
            }
            if !found.contains(path) { found.append(path) }
        }
        return found.filter { path in
            !found.contains { other in
                other != path && path.utf8.starts(with: (other == "/" ? "/" : other + "/").utf8)
            }
        }
    }

    private func openJournal(
        _ roots: [String], outputFolder: String?, _ console: Console
    ) throws(UndertextError) -> Journal {
        guard let path = journal ?? JournalName.path(for: roots) else {
            throw UndertextError(
                .notFound,
                "neither HOME nor XDG_STATE_HOME names a folder for the journal; use --journal FILE"
            )
        }
        let arguments = what.arguments + (outputFolder.map { ["--output=\($0)"] } ?? [])
        let text = String(
            decoding: JSON.array(arguments.map { .string($0) }).compact, as: UTF8.self)
        let journal = try Journal(path: path, options: text)
        if let damaged = journal.damagedPath {
            console.say(
                "warning: the journal was damaged and is '\(damaged)' now; it was rebuilt from its log",
                about: path)
        }
        return journal
    }

    private func walkOptions(_ roots: [String], _ options: BatchOptions) -> WalkOptions {
        var walk = search.options
        if let folder = options.outputFolder { walk.excludedFolders = [folder] }
        // Beside media, files of the formats that are written are results, not inputs.
        if options.outputFolder.map(roots.contains) ?? true {
            let format = options.extraction.format
            let written =
                format == .native
                ? SubtitleFormat.inputs : [format.text, format.bitmap].compactMap { $0 }
            walk.writtenExtensions = Set(
                written.flatMap(\.fileExtensions).map { $0.lowercased() })
        }
        return walk
    }
}

/// All that a run needs.
private struct BatchTask {
    let roots: [String]
    let walk: WalkOptions
    let options: BatchOptions
    let journal: Journal
    let report: BatchReportFile?
}
