internal import Glibc

/// Properties of terminals connected to the standard descriptors.
package enum Terminal {
    /// Returns `true` if `descriptor` is a terminal that supports color and `NO_COLOR` is not set.
    package static func wantsColor(_ descriptor: Int32) -> Bool {
        guard takesEscapes(descriptor) else { return false }
        guard let value = unsafe getenv("NO_COLOR") else { return true }
        return unsafe value.pointee == 0
    }

    /// Returns `true` if `descriptor` is a terminal that supports escape sequences: `TERM` is set and not
    /// `dumb`.
    package static func takesEscapes(_ descriptor: Int32) -> Bool {
        guard isTerminal(descriptor), let value = unsafe getenv("TERM") else { return false }
        let name = unsafe String(cString: value)
        return !name.isEmpty && name != "dumb"
    }

    /// Returns `true` if a descriptor is a terminal; C: `isatty`.
    package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// The width of the terminal in columns; `nil` if there is no terminal; C: `TIOCGWINSZ`.
    package static func width(_ descriptor: Int32) -> Int? {
        var size = winsize()
        let result = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size)
        return result == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
    }
}
