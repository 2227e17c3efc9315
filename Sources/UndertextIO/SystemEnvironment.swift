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

    /// Returns the value of a variable that contains a path, which may have arbitrary bytes.
    ///
    /// - Returns: The value; `nil` if the variable is not set.
    package static func path(of name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe PathText.text(
            of: UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }
}
