internal import Glibc

/// The bytes of a file, or `nil` if it cannot be read.
public func fileBytes(_ path: String) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var result: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    while true {
        let count = unsafe read(descriptor, &chunk, chunk.count)
        if count < 0, errno == EINTR { continue }
        if count < 0 { return nil }
        if count == 0 { return result }
        result += chunk[..<count]
    }
}

/// The text of a file, with repair of invalid UTF-8, or `nil` if it cannot be read.
public func fileText(_ path: String) -> String? {
    fileBytes(path).map { String(decoding: $0, as: UTF8.self) }
}

/// Writes a file; whether it worked.
@discardableResult
public func writeFile(_ bytes: [UInt8], to path: String) -> Bool {
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
    let descriptor = unsafe open(path, flags, 0o644)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = unsafe rest.withUnsafeBytes {
            unsafe write(descriptor, $0.baseAddress, $0.count)
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
    }
    return true
}

/// `true` if something exists at `path`, also a dangling link.
public func exists(_ path: String) -> Bool {
    var info = stat()
    return unsafe lstat(path, &info) == 0
}

/// The names in a folder, sorted, without `.` and `..`; empty if it cannot be read.
public func names(in folder: String) -> [String] {
    guard let directory = unsafe opendir(folder) else { return [] }
    defer { unsafe _ = closedir(directory) }
    var result: [String] = []
    while let entry = unsafe readdir(directory) {
        let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            unsafe String(cString: UnsafeRawPointer(pointer).assumingMemoryBound(to: CChar.self))
        }
        if name != ".", name != ".." { result.append(name) }
    }
    return result.sorted()
}

/// The paths of all files below a folder, sorted, links not followed.
public func files(below folder: String) -> [String] {
    var result: [String] = []
    var pending = [folder]
    while let next = pending.popLast() {
        for name in names(in: next) {
            let path = next + "/" + name
            var info = stat()
            guard unsafe lstat(path, &info) == 0 else { continue }
            switch info.st_mode & S_IFMT {
            case S_IFDIR: pending.append(path)
            case S_IFREG: result.append(path)
            default: break
            }
        }
    }
    return result.sorted()
}

/// A folder of its own, removed with all it holds when the last reference goes.
public final class TemporaryDirectory: Sendable {
    /// Its absolute path.
    public let path: String

    /// Makes the folder; `nil` would mean a machine without `/tmp`, so that is a precondition.
    public init() {
        let base = environment("TMPDIR") ?? "/tmp"
        var template = Array((base + "/undertext-test-XXXXXX").utf8CString)
        precondition(unsafe mkdtemp(&template) != nil, "no folder for temporary files: \(base)")
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { removeTree(path) }

    /// The path of something in the folder.
    public static func / (folder: TemporaryDirectory, name: String) -> String {
        folder.path + "/" + name
    }

    /// Writes a file into the folder and returns its path.
    @discardableResult
    public func write(_ bytes: [UInt8], to name: String) -> String {
        let path = self / name
        precondition(writeFile(bytes, to: path), "cannot write \(path)")
        return path
    }

    /// Writes a text into the folder and returns its path.
    @discardableResult
    public func write(_ text: String, to name: String) -> String {
        write(Array(text.utf8), to: name)
    }

    /// The names in the folder, sorted.
    public var names: [String] { TestSupport.names(in: path) }
}

private func removeTree(_ path: String) {
    var info = stat()
    guard unsafe lstat(path, &info) == 0 else { return }
    if info.st_mode & S_IFMT == S_IFDIR {
        unsafe chmod(path, 0o700)
        for name in names(in: path) { removeTree(path + "/" + name) }
        unsafe rmdir(path)
    } else {
        unsafe unlink(path)
    }
}

/// Creates a folder, whose parent must exist; returns `true` on success.
public func makeFolder(_ path: String) -> Bool { unsafe mkdir(path, 0o755) == 0 }

/// Sets the modification time of a file to `seconds` ago; returns `true` on success.
public func makeOld(_ path: String, seconds: Int) -> Bool {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    let then = timespec(tv_sec: now.tv_sec - seconds, tv_nsec: now.tv_nsec)
    return unsafe utimensat(AT_FDCWD, path, [then, then], 0) == 0
}

/// The size of a file in bytes, or `nil` if there is none.
public func fileSize(_ path: String) -> Int? {
    var info = stat()
    return unsafe stat(path, &info) == 0 ? Int(info.st_size) : nil
}

/// Blocks the thread.
public func pause(milliseconds: UInt32) { usleep(milliseconds * 1000) }
