internal import Glibc
internal import UndertextCore

/// The environment of this process.
package enum SystemEnvironment {
    /// The value of a variable; C: `getenv`.
    ///
    /// - Returns: `nil` if it is not set.
    package static func value(of name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    /// The value of a variable that is a path, whatever its bytes are.
    ///
    /// - Returns: `nil` if it is not set.
    package static func path(of name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe PathText.text(
            of: UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }
}
