internal import Glibc
package import UndertextCore

/// Changes in folders, as the kernel reports them; C: `inotify`.
package final class FolderEvents {
    /// A change in a watched folder.
    package struct Event: Hashable, Sendable {
        /// The kind of a change.
        package enum Kind: Hashable, Sendable {
            /// A name was added: a new file, folder or link.
            case created
            /// A file was closed after it was open for writing.
            case written
            /// A name was renamed to this one.
            case movedIn
            /// A name was renamed to another one, or removed.
            case removed
            /// The watched folder itself was removed or renamed, or its file system was unmounted.
            case folderGone
            /// The watch has ended; its number reports nothing further.
            case watchEnded
            /// The kernel's queue was full, and changes are missing.
            case overflow
        }

        /// The number of the watch; -1 for an overflow.
        package var watch: Int32
        /// The name within the folder; empty for a change of the folder itself.
        package var name: String
        /// The kind of the change.
        package var kind: Kind
        /// `true` if the name is that of a folder.
        package var isFolder: Bool
    }

    private let descriptor: FileDescriptor
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)
    private static let headerSize = 16

    /// Creates an empty set of watches.
    ///
    /// - Throws: ``UndertextError`` with code `limit-exceeded` if the user has too many.
    package init() throws(UndertextError) {
        do throws(SystemFailure) {
            descriptor = FileDescriptor(
                owning: try retrying { inotify_init1(O_NONBLOCK | O_CLOEXEC) })
        } catch {
            throw UndertextError(
                .limit,
                "the kernel reports no more changes of folders to this user; raise the sysctl fs.inotify.max_user_instances",
                underlying: error.text)
        }
    }

    /// The descriptor that is readable while there are changes.
    var number: Int32 { descriptor.number }

    /// Begins to report changes in a folder.
    ///
    /// - Returns: The number of the watch, which is that of an earlier one if the folder is watched under another path.
    /// - Throws: ``UndertextError``, with code `limit-exceeded` if the kernel allows no further watch.
    package func watch(_ folder: String) throws(UndertextError) -> Int32 {
        let events =
            IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF
            | IN_MOVE_SELF | IN_ONLYDIR
        do throws(SystemFailure) {
            let path = PathText.systemPath(folder)
            return try retrying {
                unsafe inotify_add_watch(descriptor.number, path, UInt32(events))
            }
        } catch {
            guard error.number == ENOSPC else { throw error.mediaError("watching", path: folder) }
            throw UndertextError(
                .limit,
                "the kernel watches no further folder for this user; raise the sysctl fs.inotify.max_user_watches",
                path: folder, underlying: error.text)
        }
    }

    /// Ends a watch; its number is not used again soon.
    package func unwatch(_ watch: Int32) {
        // The folder may have been removed, which ended the watch.
        _ = inotify_rm_watch(descriptor.number, watch)
    }

    /// The changes since the last call, at most as many as fit into a buffer; empty if there is none.
    package func read() throws(UndertextError) -> [Event] {
        var count = 0
        do throws(SystemFailure) {
            count = try retrying {
                unsafe buffer.withUnsafeMutableBytes {
                    unsafe Glibc.read(descriptor.number, $0.baseAddress, $0.count)
                }
            }
        } catch {
            if error.number == EAGAIN { return [] }
            throw UndertextError(
                .io, "reading the changes of folders failed", underlying: error.text)
        }
        return Self.events(in: buffer[..<count])
    }

    /// Parses records of the kernel; C: `struct inotify_event`.
    private static func events(in bytes: ArraySlice<UInt8>) -> [Event] {
        func word(at offset: Int) -> UInt32 {
            unsafe bytes.withUnsafeBytes {
                unsafe $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            }
        }
        var events: [Event] = []
        var offset = 0
        while offset + headerSize <= bytes.count {
            let length = Int(word(at: offset + 12))
            let start = bytes.startIndex + offset + headerSize
            guard length <= bytes.endIndex - start else { break }
            let mask = word(at: offset + 4)
            let name = bytes[start..<start + length].prefix { $0 != 0 }
            if let kind = kind(of: mask) {
                events.append(
                    Event(
                        watch: Int32(bitPattern: word(at: offset)), name: PathText.text(of: name),
                        kind: kind, isFolder: mask & UInt32(IN_ISDIR) != 0))
            }
            offset += headerSize + length
        }
        return events
    }

    private static func kind(of mask: UInt32) -> Event.Kind? {
        func has(_ bits: Int32) -> Bool { mask & UInt32(bitPattern: bits) != 0 }
        if has(IN_Q_OVERFLOW) { return .overflow }
        if has(IN_IGNORED) { return .watchEnded }
        if has(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT) { return .folderGone }
        if has(IN_MOVED_FROM | IN_DELETE) { return .removed }
        if has(IN_MOVED_TO) { return .movedIn }
        if has(IN_CLOSE_WRITE) { return .written }
        return has(IN_CREATE) ? .created : nil
    }
}
