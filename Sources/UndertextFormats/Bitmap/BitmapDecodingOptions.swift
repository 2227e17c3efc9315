public import UndertextCore

/// What a caller may decide about decoding images.
public struct BitmapDecodingOptions: Sendable {
    /// The color matrix; `nil` = as the height of the canvas suggests.
    public var colorMatrix: ColorMatrix?
    /// What a stream may ask of us.
    public var limits: Limits

    /// What decoding may cost; `nil` = a budget of the decoder's own.
    ///
    /// The encoders of the track may share it.
    public var budget: PixelBudget?

    /// Creates options.
    public init(
        colorMatrix: ColorMatrix? = nil, limits: Limits = Limits(), budget: PixelBudget? = nil
    ) {
        self.colorMatrix = colorMatrix
        self.limits = limits
        self.budget = budget
    }

    /// The budget of a decoder with these options.
    var spending: PixelBudget { budget ?? PixelBudget(limits: limits) }
}
