internal import Glibc
internal import UndertextCore

/// The environment of this process.
package enum SystemEnvironment {
    /// Returns the value of a variable; C: `getenv`.
    ///
    /// - Returns: The value; `nil` if the variable is not set.
    package static func value(of name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    /// The number of this process; C: `getpid`.
    package static var processID: Int32 { getpid() }

    /// The number of processors that are online; C: `sysconf`.
    package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// The name of this machine; C: `gethostname`.
    package static var hostName: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "" }
        return PathText.text(of: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) })
    }

    /// Returns the value of a variable that contains a path, which may have arbitrary bytes.
    ///
    /// - Returns: The value; `nil` if the variable is not set.
    package static func path(of name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe PathText.text(
            of: UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }
}
