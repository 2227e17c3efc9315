internal import SystemIO

/// The folders of a run's outputs, made and tried before anything is read.
struct OutputFolders {
    private let made: [String]

    /// Makes the folders that outputs go to and makes sure that files can be made there.
    ///
    /// One refusal says it all, where every track would fail for the same reason.
    static func prepare(
        _ inputs: [PreparedInput], options: ExtractionOptions
    ) throws(ExtractionRefusal) -> OutputFolders {
        let paths = inputs.flatMap { $0.plannedPaths(options) }
        let folders = Set(paths.map(PathName.directoryName)).sorted()
        var made: [String] = []
        for folder in folders {
            do throws(OutputError) {
                if !FileSystem.isDirectory(folder) {
                    made += try FileSystem.createDirectory(folder)
                }
                try OutputFile(path: PathName.joining(folder, "undertext")).abort()
            } catch {
                FileSystem.removeDirectories(made)
                throw ExtractionRefusal(
                    exitCode: ExitStatus.nothing,
                    description: "\(folder): nothing can be written there: \(error.message)"
                        + (error.underlying.map { " (\($0))" } ?? ""))
            }
        }
        return OutputFolders(made: made)
    }

    /// Removes the folders that were made and got nothing.
    func removeEmpty() { FileSystem.removeDirectories(made) }
}
