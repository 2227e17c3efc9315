extension String {
    /// Itself; `nil` where it is longer than fonts, people and languages are called.
    ///
    /// A style says a name once, and every cue of that style carries it: a file of a megabyte would make
    /// gigabytes.
    var ifName: String? { utf8.count <= 256 ? self : nil }
}
