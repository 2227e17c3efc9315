internal import UndertextCore

extension RGBA {
    /// A color of libass: `0xRRGGBBAA`, where AA is transparency.
    init(libass value: UInt32) { self.init(rawValue: value ^ 0xFF) }
}
