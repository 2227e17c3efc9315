package import UndertextCore
internal import UndertextIO

/// The inputs of a library, which several machines divide among them.
///
/// A file of JSON Lines: a header with the number of parts that it was planned for, then an input in each line, in
/// the order of the walk. Machines compute the division from the expected costs, so the same manifest gives
/// each of them the same parts.
package struct Manifest: Sendable {
    /// An input.
    package struct Entry: Hashable, Sendable {
        /// The path.
        package var path: String
        /// The path below its root, which outputs mirror.
        package var relativePath: String
        /// The kind, which decides the cost.
        package var kind: InputKind
        /// Bytes when it was planned.
        package var size: Int64

        /// Creates an entry.
        package init(path: String, relativePath: String, kind: InputKind, size: Int64) {
            self.path = path
            self.relativePath = relativePath
            self.kind = kind
            self.size = size
        }

        /// The entry of a file that was found.
        package init(_ file: FoundFile) {
            self.init(
                path: file.path, relativePath: file.relativePath, kind: file.kind,
                size: file.status.size)
        }

        private func status() throws(UndertextError) -> FileStatus {
            guard S3Location.isLocation(path) else {
                return try FileStatus.ofInput(path)
            }
            guard let object = try S3Store.ofProcess.object(S3Location(path)) else {
                throw UndertextError(
                    .notFound, "there is no such object; keys are case-sensitive", path: path)
            }
            return FileStatus(object)
        }

        /// The expected cost in bytes read.
        package var cost: Int64 { kind.cost(size: size) }

        /// The file as it is now.
        ///
        /// - Throws: ``UndertextError`` if it is gone or cannot be looked up.
        package func file() throws(UndertextError) -> FoundFile {
            let status = try self.status()
            return FoundFile(path: path, relativePath: relativePath, status: status, kind: kind)
        }
    }

    /// The number of parts that it was planned for.
    package let shards: Int
    /// The roots that were walked, as canonical paths.
    package let roots: [String]
    /// The inputs in the order of the walk.
    package let entries: [Entry]

    private static let version = 1
    private static let lineLimit = 1 << 20

    /// Creates a manifest.
    package init(shards: Int, roots: [String], entries: [Entry]) {
        self.shards = shards
        self.roots = roots
        self.entries = entries
    }

    /// The entries of a part.
    ///
    /// In descending order of cost, each input goes to the part with the smallest sum so far, the first of equal ones.
    package func entries(of shard: Shard) -> [Entry] {
        guard shard.count > 1 else { return entries }
        let costs = entries.map(\.cost)
        let order = entries.indices.sorted { (costs[$1], $0) < (costs[$0], $1) }
        // A binary heap: the part with the least cost first.
        var heap = (1...shard.count).map { (cost: Int128(0), part: $0) }
        var chosen: [Int] = []
        for index in order {
            if heap[0].part == shard.index { chosen.append(index) }
            heap[0].cost += Int128(costs[index])
            var place = 0
            while true {
                let children = [2 * place + 1, 2 * place + 2].filter { $0 < heap.count }
                guard let child = children.min(by: { heap[$0] < heap[$1] }),
                    heap[child] < heap[place]
                else { break }
                heap.swapAt(child, place)
                place = child
            }
        }
        return chosen.sorted().map { entries[$0] }
    }

    // MARK: - Files

    /// The lines of the file, each with its end.
    package var lines: [UInt8] {
        let header = JSON.object([
            .init("type", .string("manifest")), .init("version", .integer(Self.version)),
            .init("shards", .integer(shards)),
            .init("roots", .array(roots.map { .string($0) })),
            .init("inputs", .integer(entries.count)),
        ])
        var bytes = header.compact + [0x0A]
        for entry in entries {
            let line = JSON.object([
                .init("path", .string(entry.path)),
                .init("relativePath", .string(entry.relativePath)),
                .init("kind", .string(entry.kind.rawValue)),
                .init("size", .integer(entry.size)),
            ])
            bytes += line.compact + [0x0A]
        }
        return bytes
    }

    /// Writes the manifest.
    ///
    /// - Parameters:
    ///   - path: The file, or `-` for standard output.
    ///   - replacing: `true` to replace a file that exists.
    /// - Throws: ``UndertextError`` if it cannot be written.
    package func write(to path: String, replacing: Bool) throws(UndertextError) {
        if path == "-" {
            let output = StandardOutput()
            try output.write(lines[...])
            try output.flush()
            return
        }
        let file = try OutputFile(path: path)
        try file.write(lines[...])
        try file.commit(replacing: replacing)
    }

    /// Reads a manifest.
    ///
    /// - Parameter path: The file.
    /// - Throws: ``UndertextError`` with code `malformed` and the number of the line that is wrong.
    package init(path: String) throws(UndertextError) {
        func malformed(_ line: Int, _ reason: String) -> UndertextError {
            UndertextError(.malformed, "line \(line) \(reason)", path: path)
        }
        var reader = try LineReader(path: path, limit: Self.lineLimit)
        guard let first = try reader.next(), let header = try? JSON(parsing: first),
            header["type"]?.text == "manifest", let shards = header["shards"]?.wholeNumber,
            Shard(index: 1, count: shards) != nil, let inputs = header["inputs"]?.wholeNumber
        else { throw malformed(1, "is no header of a manifest of 'undertext batch plan'") }
        guard header["version"]?.wholeNumber == Self.version else {
            throw malformed(1, "has a version that this undertext does not know")
        }
        var entries: [Entry] = []
        while let line = try reader.next() {
            guard let json = try? JSON(parsing: line), let path = json["path"]?.text,
                path.utf8.first == UInt8(ascii: "/") || (try? S3Location(path)) != nil,
                !path.utf8.contains(0),
                let relativePath = json["relativePath"]?.text, Self.isInside(relativePath),
                let kind = json["kind"]?.text.flatMap(InputKind.init(rawValue:)),
                let size = json["size"]?.wholeNumber, size >= 0
            else { throw malformed(entries.count + 2, "is no input") }
            entries.append(
                Entry(path: path, relativePath: relativePath, kind: kind, size: Int64(size)))
        }
        guard entries.count == inputs else {
            throw malformed(1, "states \(inputs) inputs, but there are \(entries.count)")
        }
        self.init(
            shards: shards, roots: (header["roots"]?.elements ?? []).compactMap(\.text),
            entries: entries)
    }

    /// `true` for a path that leads into a folder, not out of it.
    private static func isInside(_ path: String) -> Bool {
        !path.isEmpty && !path.utf8.contains(0)
            && path.split(separator: "/", omittingEmptySubsequences: false)
                .allSatisfy { $0 != ".." && !$0.isEmpty }
    }
}
