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
            let work = try manifestPart()
            let roots =
                if let work { work.manifest.roots } else { try BatchRoots.canonical(self.roots) }
            do {
                try BatchRoots.requireOutput(
                    output, for: work.map { $0.manifest.roots } ?? self.roots)
            } catch {
                console.fail("\(error)")
                return ExitStatus.usage
            }
            if watching.watch { try requireFolders(roots) }
            if work == nil { try BatchRoots.check(roots, console) }
            if let output { options.outputFolder = try BatchRoots.makeOutputFolder(output) }
            let journal = try openJournal(
                work?.names ?? roots, outputFolder: options.outputFolder, console)
            let report = try what.extraction.report.map { path throws(UndertextError) in
                try BatchReportFile(
                    path: path, replacing: what.extraction.force, isContinued: watching.watch)
            }
            return try run(
                BatchTask(
                    roots: roots, walk: walkOptions(roots, options), entries: work?.entries,
                    options: options, journal: journal, report: report), console)
        } catch {
            console.fail(error, in: .batch)
            return ExitStatus.nothing
        }
    }

    private func run(_ task: BatchTask, _ console: Console) throws(UndertextError) -> Int32 {
        let progress = BatchProgress(
            form: progress, quiet: verbosity.quiet, roots: task.roots, walk: task.walk,
            entries: task.entries, cancellation: console.cancellation)
        let output = BatchConsole(
            console: console, verbosity: verbosity, progress: progress, report: task.report)
        let batch = try BatchRun(
            options: task.options, journal: task.journal, cancellation: console.cancellation,
            form: { report in
                let code = ExitStatus.code(of: report.outcome)
                return ReportForm(
                    exitCode: code, json: ReportJSON.input(report, exitCode: code))
            }, report: output.show)
        console.whenStopped { [wakeUp = batch.wakeUp] in wakeUp.signal() }
        let summary: BatchSummary
        do throws(UndertextError) {
            if let watch = watch(task, batch, output) {
                summary = try batch.perform(watch)
            } else {
                summary = try batch.perform(
                    files(of: task, console.cancellation, unreadable: batch.note(unreadable:)))
            }
        } catch {
            progress.stop()
            throw error
        }
        progress.stop()
        try task.journal.close()
        output.show(summary)
        try output.finish(summary)
        return summary.isComplete ? ExitStatus.success : ExitStatus.partial
    }

    /// The folders that are watched; `nil` without `--watch`.
    private func watch(
        _ task: BatchTask, _ batch: BatchRun, _ output: BatchConsole
    ) -> LibraryWatch? {
        // The values were checked with the arguments.
        guard let options = try? watching.options() else { return nil }
        let watch = LibraryWatch(
            roots: task.roots, walk: task.walk, options: options, fail: batch.note(unreadable:),
            notify: { output.show($0, interval: options.scanInterval) })
        output.watchText = {
            let folders = "\(watch.folderCount) \(watch.folderCount == 1 ? "folder" : "folders")"
            return "watching \(folders); press Ctrl-C to end"
        }
        return watch
    }

    private func requireFolders(_ roots: [String]) throws(UndertextError) {
        for root in roots where !FileSystem.isDirectory(root) {
            throw UndertextError(
                .notDirectory,
                "--watch follows folders; specify its folder, and its name with --include",
                path: root)
        }
    }

    /// The part of the manifest that this run works on; `nil` without a manifest.
    private func manifestPart() throws(UndertextError) -> ManifestPart? {
        guard let manifest else { return nil }
        let plan = try Manifest(path: manifest)
        let count = shards ?? plan.shards
        // An option counts more than variables, also where these contradict each other.
        let selected =
            if let shard { Shard(shard) } else {
                try Shard.ofEnvironment(planned: count, SystemEnvironment.value(of:))
            }
        if selected == nil, count > 1 {
            throw UndertextError(
                .badShard, "the manifest is divided into \(count) parts; use --shard I/\(count)",
                path: manifest)
        }
        let path = FileSystem.canonical(manifest) ?? manifest
        return ManifestPart(
            manifest: plan, entries: selected.map(plan.entries(of:)) ?? plan.entries,
            names: [path] + (selected.map { ["\($0)"] } ?? []))
    }

    /// The files to work on, one with each call.
    private func files(
        of task: BatchTask, _ cancellation: Cancellation,
        unreadable: @escaping (UndertextError) -> Void
    ) -> () -> FoundFile? {
        guard let entries = task.entries else {
            return InputWalker(
                roots: task.roots, options: task.walk, cancellation: cancellation,
                fail: unreadable
            ).next
        }
        var rest = entries[...]
        return {
            while let entry = rest.popFirst() {
                // A file that was planned before may be an output by now.
                if task.walk.isWritten(entry.relativePath, entry.kind) { continue }
                do throws(UndertextError) {
                    return try entry.file()
                } catch {
                    unreadable(error)
                }
            }
            return nil
        }
    }

    private func openJournal(
        _ roots: [String], outputFolder: String?, _ console: Console
    ) throws(UndertextError) -> Journal {
        let path = if let journal { journal } else { try JournalName.path(for: roots) }
        let arguments = what.arguments + (outputFolder.map { ["--output=\($0)"] } ?? [])
        let text = String(
            decoding: JSON.array(arguments.map { .string($0) }).compact, as: UTF8.self)
        let journal = try Journal(path: path, options: text, log: log)
        if let damaged = journal.damagedPath {
            console.say(
                "warning: the journal was damaged and is '\(damaged)' now; it was rebuilt from its log",
                about: path)
        } else if journal.isRebuilt, log == nil {
            console.say(
                "warning: the journal was missing and was rebuilt from its log; to begin again, remove the log, too",
                about: path)
        }
        return journal
    }

    private func walkOptions(_ roots: [String], _ options: BatchOptions) -> WalkOptions {
        var walk = search.options
        if let folder = options.outputFolder { walk.excludedFolders = [folder] }
        if options.outputFolder.map(roots.contains) ?? true {
            walk.writtenExtensions = options.extraction.format.writtenExtensions
        }
        return walk
    }
}

extension FormatRequest {
    /// Lowercased extensions of subtitle files that are results beside media, not inputs, since the run writes such files.
    var writtenExtensions: Set<String> {
        let written =
            self == .native ? SubtitleFormat.inputs : [text, bitmap].compactMap { $0 }
        return Set(written.flatMap(\.fileExtensions).map { $0.lowercased() })
    }
}

/// All that a run needs.
private struct BatchTask {
    let roots: [String]
    let walk: WalkOptions
    /// The inputs of the part of a manifest; `nil` = those that a walk finds.
    let entries: [Manifest.Entry]?
    let options: BatchOptions
    let journal: Journal
    let report: BatchReportFile?
}

/// The inputs of a run with a manifest.
private struct ManifestPart {
    let manifest: Manifest
    let entries: [Manifest.Entry]
    /// The canonical path of the manifest and the part, which name the journal.
    let names: [String]
}
