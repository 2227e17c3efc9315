internal import UndertextIO

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
                if !FileSystem.isDirectory(folder) {
                    try refuseToMake(folder, options)
                    made += try FileSystem.createDirectory(folder)
                }
                try OutputFile(path: PathName.joining(folder, "undertext")).abort()
            } catch {
                failures[folder] = error
            }
        }
        for index in inputs.indices where !failures.isEmpty {
            let folders = inputs[index].plannedPaths(options).lazy.map(PathName.directoryName)
            guard let folder = folders.first(where: { failures[$0] != nil }),
                let error = failures[folder]
            else { continue }
            inputs[index].refuse(
                UndertextError(
                    error.code, "nothing can be written to '\(folder)': \(error.message)",
                    underlying: error.underlying))
        }
        do throws(UndertextError) {
            try options.report.map { path throws(UndertextError) in try Self.tryReport(path) }
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
        throw UndertextError(.notFound, "there is no such folder; make it first", path: folder)
    }

    /// Makes sure that a report can be written: at the end of hours of work it would be too late.
    private static func tryReport(_ path: String) throws(UndertextError) {
        let kind = try? FileKind(of: path)
        if kind == .directory {
            throw UndertextError(.io, "it is a folder; name a file", path: path)
        }
        if kind == .pipe || kind == .other { return }
        let folder = PathName.directoryName(path)
        do throws(UndertextError) {
            try OutputFile(path: PathName.joining(folder, "undertext")).abort()
        } catch {
            var placed = error
            placed.path = path
            throw placed
        }
    }

    /// Removes the folders that were made and got nothing.
    func removeEmpty() { FileSystem.removeDirectories(made) }
}
