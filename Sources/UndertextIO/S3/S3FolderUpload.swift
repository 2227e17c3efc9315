internal import UndertextCore

/// Creates the objects of a folder; its last file, the index, appears when all others are there.
struct S3FolderUpload: Sendable {
    let folder: S3Location
    /// The folder of the files.
    let source: String
    /// The names of the files, the index last.
    let names: [String]
    let cancellation: Cancellation
    let registry: TemporaryRegistry
    var store = S3Store.ofProcess

    /// The number of requests at a time, since images are small and many.
    private static let requests = 8
    /// The largest number of objects that a folder may have to be replaced.
    private static let mostObjects = 1_000_000
    /// The time in which what was uploaded is removed after a failure.
    private static let removalTime = Duration.seconds(60)

    /// Uploads the files.
    ///
    /// - Parameter listed: The names that may be replaced or removed; `nil` if the folder must not exist.
    /// - Throws: ``UndertextError`` with code `output-exists`, `output-is-input`, `cancelled`, or as ``S3Client`` does.
    func perform(replacing listed: Set<String>?) throws(UndertextError) {
        guard let listed else {
            guard try !OutputStore(store: store).exists(folder.description, isFolder: true) else {
                throw UndertextError(
                    .outputExists, "it exists already; remove it or allow replacing",
                    path: folder.description)
            }
            return try upload([])
        }
        let present = Set(
            try OutputStore.names(in: folder.description, limit: Self.mostObjects, store))
        if let foreign = names.first(where: { present.contains($0) && !listed.contains($0) }) {
            throw UndertextError(
                .outputExists, "the old index does not list it; remove or rename it",
                path: folder.appending(foreign).description)
        }
        let old = present.intersection(listed)
        for name in old { try InputFiles.refuse(folder.appending(name).description) }
        // Without its index, what is between the old and the new folder is not taken for either.
        if let index = names.last, old.contains(index) {
            try store.remove(folder.appending(index), cancellation)
        }
        try upload(old)
        for name in old.subtracting(names) {
            try store.remove(folder.appending(name), cancellation)
        }
    }

    /// Uploads all files, and removes those of them that are new if one fails.
    private func upload(_ old: Set<String>) throws(UndertextError) {
        var created: [String] = []
        let failure =
            upload(names.dropLast(), old, &created) ?? upload(names.suffix(1), old, &created)
        guard let failure else { return }
        remove(created.filter { !old.contains($0) })
        throw failure
    }

    private func upload(
        _ names: ArraySlice<String>, _ old: Set<String>, _ created: inout [String]
    ) -> UndertextError? {
        let workers = OrderedWorkers(threadCount: Self.requests) {
            [self] (name: String) -> Result<String, UndertextError> in
            do throws(UndertextError) {
                if cancellation.isCancelled {
                    throw UndertextError(
                        .cancelled, "the job was stopped", path: folder.description)
                }
                try S3Upload(
                    location: folder.appending(name), isReplacing: old.contains(name),
                    store: store, cancellation: cancellation, registry: registry
                ).perform("\(source)/\(name)")
                return .success(name)
            } catch {
                return .failure(error)
            }
        }
        var failure: UndertextError?
        func take(_ results: [Result<String, UndertextError>]) {
            for result in results {
                switch result {
                case .success(let name): created.append(name)
                case .failure(let error): failure = failure ?? error
                }
            }
        }
        for name in names where failure == nil { take(workers.add(name)) }
        take(workers.finish())
        return failure
    }

    /// Removes what was uploaded, as far as that is possible.
    private func remove(_ names: [String]) {
        let end = ContinuousClock.now + Self.removalTime
        for name in names {
            let location = folder.appending(name)
            do throws(UndertextError) {
                try store.with(location, deadline: end) { client throws(UndertextError) in
                    _ = try client.send("DELETE", location)
                }
            } catch {
                // A server that is gone does not come back for the other ones.
                return
            }
        }
    }
}
