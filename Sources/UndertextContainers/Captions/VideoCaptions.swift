/// The kinds of closed captions that a video stream carries between its frames.
package struct VideoCaptions: OptionSet, Hashable, Sendable {
    /// The bits, one for each kind.
    package let rawValue: UInt8

    /// A set of kinds by their bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// CEA-608, line 21 captions: `cc_type` 0 and 1 of ATSC A/53, or a format of its own.
    package static let cea608 = VideoCaptions(rawValue: 1)
    /// CEA-708, DTVCC: `cc_type` 2 and 3 of ATSC A/53.
    package static let cea708 = VideoCaptions(rawValue: 2)

    /// The names of the kinds, such as `CEA-608`.
    package var names: [String] {
        (contains(.cea608) ? ["CEA-608"] : []) + (contains(.cea708) ? ["CEA-708"] : [])
    }
}
