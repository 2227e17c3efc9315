/// How far a run has got.
public struct ExtractionProgress: Hashable, Sendable {
    /// The input being read.
    public var input: String
    /// Its place among the inputs, from 0.
    public var inputIndex: Int
    /// The number of inputs.
    public var inputCount: Int
    /// The part of the input that has been read, 0 to 1; `nil` if its length is not known.
    public var fraction: Double?
    /// The bytes of the input that have been read or passed over; `nil` if that is not known.
    public var position: UInt64?
}
