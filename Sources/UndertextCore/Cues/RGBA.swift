/// A color with 8 bits per component and straight alpha: 255 is opaque.
public struct RGBA: Hashable, Sendable {
    /// `0xRRGGBBAA`.
    @usableFromInline package var rawValue: UInt32

    /// Creates a color from `0xRRGGBBAA`.
    @inlinable package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Creates a color from its components.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        rawValue =
            UInt32(red) << 24 | UInt32(green) << 16 | UInt32(blue) << 8 | UInt32(alpha)
    }

    /// Red, 0 to 255.
    public var red: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 24) }
    /// Green, 0 to 255.
    public var green: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 16) }
    /// Blue, 0 to 255.
    public var blue: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 8) }
    /// Opacity, 0 (transparent) to 255.
    public var alpha: UInt8 { UInt8(truncatingIfNeeded: rawValue) }

    /// Fully transparent black.
    package static let clear = RGBA(rawValue: 0)
    /// Opaque white.
    package static let white = RGBA(rawValue: 0xFFFF_FFFF)
    /// Opaque black.
    package static let black = RGBA(rawValue: 0x0000_00FF)
}
