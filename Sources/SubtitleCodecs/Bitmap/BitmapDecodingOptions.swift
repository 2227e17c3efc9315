public import MediaCore

/// What a caller may decide about decoding pictures.
public struct BitmapDecodingOptions: Hashable, Sendable {
    /// The colour matrix; `nil` = as the height of the canvas suggests.
    public var colorMatrix: ColorMatrix?
    /// What a stream may ask of us.
    public var limits: Limits

    /// Creates options.
    public init(colorMatrix: ColorMatrix? = nil, limits: Limits = Limits()) {
        self.colorMatrix = colorMatrix
        self.limits = limits
    }
}
