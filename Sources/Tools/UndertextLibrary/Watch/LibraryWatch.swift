package import UndertextCore
package import UndertextIO

/// The times by which a watch waits.
package struct WatchOptions: Hashable, Sendable {
    /// The time for which a file must not have changed.
    package var settling: Duration = .seconds(2)
    /// The time between scans of folders whose changes the kernel does not report.
    package var scanInterval: Duration = .seconds(60)

    /// Creates the defaults.
    package init() {}
}

/// Finds the files below folders, and then those that are added or changed, each when it is complete.
///
/// A folder is watched before it is listed, so that no file is missed. What the kernel reports is only a hint: every
/// name is looked up before it counts, so that events in any order, for names that have gone, or too many are harmless.
package final class LibraryWatch {
    /// A reason to scan folders at intervals.
    package enum ScanReason: Hashable, Sendable {
        /// Changes by other machines are not reported.
        case network
        /// The kernel allows no further watch, or has no watches at all.
        case limit
        /// The folder could not be read, and may be readable later.
        case unreadable
    }

    /// A fact about the watch that a user should know.
    package enum Notice: Sendable {
        /// A folder is scanned at intervals from now on.
        case scanning(String, ScanReason, UndertextError?)
        /// Changes were lost; all folders are scanned once.
        case overflow
    }

    private enum Occasion {
        /// All roots, for the first time.
        case first
        /// Folders that are new, or have another name.
        case changed
        /// Folders that are scanned at intervals, or all after an overflow.
        case scan
    }

    private enum Change {
        case root
        case name(String, in: WalkedFolder)
    }

    private let roots: [String]
    private let options: WatchOptions
    private let rules: WalkRules
    private let report: (UndertextError) -> Void
    private let notify: (Notice) -> Void

    /// `nil` if the kernel allows no watches.
    private let events: FolderEvents?
    private var watched = WatchedFolders()
    private var settling = SettlingFiles()
    /// The walks in progress; the last one goes on.
    private var walks: [(walker: FolderWalker, occasion: Occasion)] = []
    /// Folders and links to be looked at, by path.
    private var changes: [String: Change] = [:]
    private var changesDue: ContinuousClock.Instant?
    private var scanned: [String: ScanReason] = [:]
    /// The outermost folders on network file systems.
    private var networks: [String] = []
    private var scanDue: ContinuousClock.Instant?
    /// When all roots are scanned because changes were lost.
    private var rescanDue: ContinuousClock.Instant?
    private var isLimitReached = false
    /// Failures that were reported, each with its path.
    private var reported: Set<String> = []

    /// Files that are noted at most; if there are more, all folders are scanned later.
    private static let noteLimit = 100_000
    private static let reportLimit = 10_000
    private static let batchLimit = 16
    /// The number of quiet times after which a file counts as complete although its writer has not closed it.
    private static let openLimit = 15
    /// Clients of network file systems may see an old size for some seconds, and servers have clocks of their own.
    private static let networkDelay = Duration.seconds(10)
    private static let claimDelay = Duration.seconds(30)
    private static let networkMargin = Duration.seconds(60)

    /// Creates a watch; nothing is read yet.
    ///
    /// - Parameters:
    ///   - roots: Canonical paths of folders.
    ///   - walk: The rules of walks.
    ///   - options: The times.
    ///   - fail: Called with what cannot be read, once for each path.
    ///   - notify: Called with facts about the watch.
    package init(
        roots: [String], walk: WalkOptions, options: WatchOptions,
        fail: @escaping (UndertextError) -> Void, notify: @escaping (Notice) -> Void
    ) {
        self.roots = roots
        self.options = options
        rules = WalkRules(walk)
        report = fail
        self.notify = notify
        do throws(UndertextError) {
            events = try FolderEvents()
        } catch {
            events = nil
            isLimitReached = true
            for root in roots { scan(root, .limit, error) }
        }
        startWalk(roots.map { WalkedFolder(path: $0, relativePath: "") }, .first)
    }

    /// `true` until all files were found that exist at the beginning.
    package private(set) var isFirstPass = true

    /// The number of folders that were entered.
    package var folderCount: Int { watched.count }

    /// The number of folders that are scanned at intervals.
    package var scannedCount: Int { scanned.count }

    /// The next file; `nil` if there is none now.
    package func next() -> FoundFile? {
        while true {
            readEvents()
            let now = ContinuousClock.now
            while let (path, entry) = settling.popDue(at: now) {
                if let file = examine(path, entry, now) { return file }
            }
            if let due = changesDue, due <= now, walks.last?.occasion != .changed {
                walkChanges()
            } else if let walk = walks.last {
                guard let file = walk.walker.next() else {
                    end(walks.removeLast().occasion)
                    continue
                }
                if !settles(file, now) { return file }
            } else if !startScan(now) {
                return nil
            }
        }
    }

    /// Waits until there may be a file, `wakeUp` is signalled, or `timeout` has passed.
    ///
    /// - Parameters:
    ///   - wakeUp: Ends the wait.
    ///   - timeout: The time to wait at most; `nil` = any.
    ///   - isBusy: `true` if no further file is taken now, so that only changes are noted.
    package func wait(_ wakeUp: EventDescriptor, timeout: Duration?, isBusy: Bool = false) {
        let times = [settling.nextDue(), changesDue, scanDue, rescanDue].compactMap { $0 }
        let left = isBusy ? nil : times.min().map { max(.zero, $0 - ContinuousClock.now) }
        wakeUp.wait(or: events, timeout: [left, timeout].compactMap { $0 }.min())
        readEvents()
    }

    /// `true` if nothing is known that would lead to work soon; files that are being written do not count.
    package var isIdle: Bool {
        walks.isEmpty && changes.isEmpty && rescanDue == nil
            && !settling.hasClosedFile(within: max(options.settling, Self.networkDelay))
    }

    /// Looks at a file again that changed during the work, or, later, one that another run works on.
    package func lookAgain(at file: FoundFile, isClaimed: Bool = false) {
        note(
            PathName.baseName(file.path),
            in: WalkedFolder(holding: file.path, relativePath: file.relativePath),
            delay: isClaimed ? max(options.settling, Self.claimDelay) : nil)
    }

    // MARK: - Events

    private func readEvents() {
        guard let events else { return }
        do throws(UndertextError) {
            // Changes may come faster than they are read.
            for _ in 0..<Self.batchLimit {
                let batch = try events.read()
                guard !batch.isEmpty else { return }
                for event in batch { take(event) }
            }
        } catch {
            fail(error)
            rescan()
        }
    }

    private func take(_ event: FolderEvents.Event) {
        if event.kind == .overflow {
            notify(.overflow)
            return rescan()
        }
        let folders = watched.folders(of: event.watch)
        switch event.kind {
        case .watchEnded:
            watched.end(event.watch)
            for folder in folders { change(folder) }
        case .folderGone:
            // The parent folder reports that a folder was renamed; a root has no watched parent.
            for folder in folders where folder.relativePath.isEmpty { change(folder) }
        case .created, .written, .movedIn, .removed, .overflow:
            guard rules.mayMatter(event.name) else { return }
            for folder in folders { take(event, in: folder) }
        }
    }

    private func take(_ event: FolderEvents.Event, in folder: WalkedFolder) {
        let path = PathName.joining(folder.path, event.name)
        if event.kind == .removed {
            settling.remove(path)
            // Links to folders are removed as files are.
            if watched.contains(path) { change(.name(event.name, in: folder), path) }
            return
        }
        if event.isFolder { return change(.name(event.name, in: folder), path) }
        let kind = InputKind.named(event.name)
        if case .some(.none) = kind { return }
        if let kind = kind ?? nil, rules.options.isWritten(event.name, kind) { return }
        note(event.name, in: folder, isOpen: event.kind == .created)
    }

    private func change(_ folder: WalkedFolder) {
        guard !folder.relativePath.isEmpty else { return change(.root, folder.path) }
        let parent = WalkedFolder(holding: folder.path, relativePath: folder.relativePath)
        change(.name(PathName.baseName(folder.path), in: parent), folder.path)
    }

    private func change(_ change: Change, _ path: String) {
        changes[path] = change
        // A folder that was just made is listed once, after what is copied into it at the same moment.
        if changesDue == nil {
            changesDue = ContinuousClock.now + min(options.settling, .milliseconds(500))
        }
    }

    private func note(
        _ name: String, in folder: WalkedFolder, isOpen: Bool = false, delay: Duration? = nil,
        seen: SettlingFiles.State? = nil
    ) {
        let path = PathName.joining(folder.path, name)
        guard settling.count < Self.noteLimit || settling.contains(path) else { return rescan() }
        let delay = delay ?? self.delay(in: folder.path)
        var entry = SettlingFiles.Entry(
            folder: folder, name: name, delay: delay, noted: FileSystem.now.nanoseconds,
            isOpen: isOpen, due: ContinuousClock.now + delay)
        entry.seen = seen
        settling.note(path, entry)
    }

    private func delay(in folder: String) -> Duration {
        isOnNetwork(folder) ? max(options.settling, Self.networkDelay) : options.settling
    }

    private func isOnNetwork(_ folder: String) -> Bool {
        networks.contains { Self.isInside(folder, $0) }
    }

    // MARK: - Files

    /// Decides whether a file that may be in work is complete; it is looked at later if not.
    private func examine(
        _ path: String, _ entry: SettlingFiles.Entry, _ now: ContinuousClock.Instant
    ) -> FoundFile? {
        do throws(UndertextError) {
            switch try rules.examine(entry.name, in: entry.folder) {
            case .none:
                if let index = rules.index(ofPart: entry.name, in: entry.folder) {
                    note(index, in: entry.folder)
                }
            case .folder: change(.name(entry.name, in: entry.folder), path)
            case .file(let file): return complete(file, path, entry, now)
            }
        } catch {
            if error.code != .notFound { fail(error) }
        }
        return nil
    }

    private func complete(
        _ file: FoundFile, _ path: String, _ entry: SettlingFiles.Entry,
        _ now: ContinuousClock.Instant
    ) -> FoundFile? {
        // The second file of VobSub notes the index again when it is complete.
        if let part = WalkRules.part(ofIndex: path), settling.contains(part) { return nil }
        let state = SettlingFiles.State(size: file.status.size, modified: file.status.modified)
        let isQuiet =
            entry.seen == state || entry.seen == nil && age(of: file) >= entry.delay
        var entry = entry
        entry.quietTimes = isQuiet ? entry.quietTimes + 1 : 0
        entry.seen = state
        // A hard link to a complete file is created, and never closed.
        let isClosed = !entry.isOpen || state.modified <= entry.noted - entry.delay.nanoseconds
        if isQuiet, isClosed || entry.quietTimes >= Self.openLimit {
            return isClosed || state.size > 0 ? file : nil
        }
        settling.postpone(path, entry, until: now + entry.delay)
        return nil
    }

    /// The time since the last change; negative for a time in the future.
    private func age(of file: FoundFile) -> Duration {
        let age = FileSystem.now.nanoseconds.subtractingReportingOverflow(file.status.modified)
        return .nanoseconds(age.overflow ? -1 : age.partialValue)
    }

    /// `true` if a file of a walk changed so recently that it may be in work; it is looked at later.
    private func settles(_ file: FoundFile, _ now: ContinuousClock.Instant) -> Bool {
        if settling.contains(file.path) { return true }
        let folder = WalkedFolder(holding: file.path, relativePath: file.relativePath)
        let margin = isOnNetwork(folder.path) ? Self.networkMargin : .zero
        guard age(of: file) < delay(in: folder.path) + margin else { return false }
        note(
            PathName.baseName(file.path), in: folder,
            seen: .init(size: file.status.size, modified: file.status.modified))
        return true
    }

    // MARK: - Walks

    private func startWalk(_ folders: [WalkedFolder], _ occasion: Occasion) {
        for folder in folders {
            for watch in watched.drop(folder.path) { events?.unwatch(watch) }
        }
        let walker = FolderWalker(
            folders: folders, options: rules.options,
            mayEnter: { [unowned self] in enter($0, occasion) },
            fail: { [unowned self] in fail($0) })
        walks.append((walker, occasion))
    }

    private func end(_ occasion: Occasion) {
        if occasion == .first { isFirstPass = false }
        if !scanned.isEmpty, scanDue == nil {
            scanDue = ContinuousClock.now + options.scanInterval
        }
    }

    private func rescan() {
        if rescanDue == nil { rescanDue = ContinuousClock.now + options.settling }
    }

    private func startScan(_ now: ContinuousClock.Instant) -> Bool {
        if let due = rescanDue, due <= now {
            rescanDue = nil
            startScan(of: Set(roots))
        } else if let due = scanDue, due <= now {
            scanDue = nil
            startScan(of: Set(scanned.keys))
        } else {
            return false
        }
        return true
    }

    private func startScan(of paths: Set<String>) {
        // Whatever made these scans necessary may be over.
        isLimitReached = events == nil
        for (path, reason) in scanned where reason != .network && paths.contains(path) {
            if events != nil || reason != .limit { scanned[path] = nil }
        }
        let outermost = paths.filter { path in
            !paths.contains { $0 != path && Self.isInside(path, $0) }
        }
        startWalk(outermost.sorted().compactMap(folder(at:)), .scan)
    }

    /// Walks folders that were added or renamed, and forgets those that have gone.
    private func walkChanges() {
        let changes = changes
        (self.changes, changesDue) = ([:], nil)
        var folders: [WalkedFolder] = []
        var entered: Set<String> = []
        for (path, change) in changes.sorted(by: { $0.key < $1.key }) {
            // A folder above is walked anyway.
            if Self.ancestors(of: path).contains(where: entered.contains) { continue }
            if watched.holds(path, FileSystem.identity(of: path)) { continue }
            for watch in watched.drop(path) { events?.unwatch(watch) }
            guard let folder = folder(change, path) else { continue }
            folders.append(folder)
            entered.insert(path)
        }
        if !folders.isEmpty { startWalk(folders, .changed) }
    }

    private func folder(_ change: Change, _ path: String) -> WalkedFolder? {
        guard case .name(let name, let parent) = change else {
            // The walk reports a root that has gone.
            return WalkedFolder(path: path, relativePath: "")
        }
        do throws(UndertextError) {
            switch try rules.examine(name, in: parent) {
            case .folder(let folder): return folder
            case .file, .none: return nil
            }
        } catch {
            if error.code != .notFound { fail(error) }
            return nil
        }
    }

    /// Watches a folder before it is listed; `false` if a link leads to a folder that was entered elsewhere.
    private func enter(_ folder: WalkedFolder, _ occasion: Occasion) -> Bool {
        let identity = FileSystem.identity(of: folder.path)
        // It may be new, and have been walked meanwhile.
        if occasion == .first, watched.holds(folder.path, identity) { return false }
        if rules.options.followsLinks, let identity, let other = watched.path(of: identity),
            other != folder.path, FileSystem.identity(of: other) == identity
        {
            return false
        }
        var watch: Int32?
        if !isLimitReached {
            do throws(UndertextError) {
                watch = try events?.watch(folder.path)
            } catch {
                // What cannot be entered is reported when it is listed.
                if error.code == .limit { reachLimit(error) }
            }
        }
        watched.add(folder, identity: identity, watch: watch)
        if FileSystem.readPolicy(for: folder.path) == .networkFile, !isOnNetwork(folder.path) {
            networks.append(folder.path)
            scan(folder.path, .network, nil)
        }
        if folder.relativePath.isEmpty { reported.remove(Self.goneRoot(folder.path)) }
        return true
    }

    private func reachLimit(_ error: UndertextError) {
        isLimitReached = true
        for root in roots where scanned[root] == nil { scan(root, .limit, error) }
    }

    private func scan(_ path: String, _ reason: ScanReason, _ error: UndertextError?) {
        scanned[path] = reason
        if reported.count < Self.reportLimit, reported.insert("\(reason) \(path)").inserted {
            notify(.scanning(path, reason, error))
        }
    }

    private func fail(_ error: UndertextError) {
        let path = error.path ?? ""
        var (error, key) = (error, "\(error.code) \(path)")
        if error.code == .notFound, roots.contains(path) {
            key = Self.goneRoot(path)
            error = UndertextError(
                .notFound, "the folder was removed or renamed; the run waits for its return",
                path: path)
        }
        if roots.contains(path) || FileSystem.isDirectory(path), folder(at: path) != nil {
            scanned[path] = scanned[path] ?? .unreadable
        }
        guard reported.count < Self.reportLimit, reported.insert(key).inserted else { return }
        report(error)
    }

    private static func goneRoot(_ path: String) -> String { "gone \(path)" }

    // MARK: - Paths

    private func folder(at path: String) -> WalkedFolder? {
        guard let root = roots.first(where: { path == $0 || Self.isInside(path, $0) }) else {
            return nil
        }
        let rest = path.utf8.dropFirst(root.utf8.count).drop { $0 == UInt8(ascii: "/") }
        return WalkedFolder(path: path, relativePath: String(rest) ?? "")
    }

    private static func isInside(_ path: String, _ folder: String) -> Bool {
        path == folder || path.utf8.starts(with: (folder == "/" ? "/" : folder + "/").utf8)
    }

    private static func ancestors(of path: String) -> [String] {
        var result: [String] = []
        var next = PathName.directoryName(path)
        while next != result.last, next != "/" {
            result.append(next)
            next = PathName.directoryName(next)
        }
        return result
    }
}

extension Duration {
    /// Nanoseconds, as far as a number has room for them.
    var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let product = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return product.overflow ? .max : product.partialValue + attoseconds / 1_000_000_000
    }
}
