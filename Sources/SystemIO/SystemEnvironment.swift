internal import Glibc

/// The environment of this process.
public enum SystemEnvironment {
    /// The value of a variable; C: `getenv`.
    ///
    /// - Returns: `nil` if it is not set.
    public static func value(of name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
