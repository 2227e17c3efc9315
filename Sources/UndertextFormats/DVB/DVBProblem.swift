internal import UndertextCore

/// A violation of the standard in a display set.
enum DVBProblem: Hashable, Sendable {
    case truncated(String)
    case tooMany(String, Int)
    case tooLarge(String, Int, Int)
    case tooCostly
    case windowOutside
    case regionOutside(UInt8)
    case missingRegion(UInt8)
    case missingObject(UInt16)
    case characters
    case unknownCoding
    case pixels(DVBPixelStrings.Damage)

    private static func withArticle(_ noun: String) -> String {
        noun.hasPrefix("o") ? "an \(noun)" : "a \(noun)"
    }

    /// The problem as it is reported.
    var diagnostic: Diagnostic {
        switch self {
        case .truncated(let what):
            Diagnostic(
                .error, "truncated-segment", "\(Self.withArticle(what)) is cut off or damaged")
        case .tooMany(let what, let count):
            Diagnostic(
                .error, "too-many-objects", "\(count) \(what); the rest is left out")
        case .tooLarge(let what, let width, let height):
            Diagnostic(
                .error, "image-too-large",
                "\(Self.withArticle(what)) of \(width)x\(height) is left out")
        case .tooCostly:
            Diagnostic(
                .error, "limit-exceeded", "a packet needs more pixels than allowed")
        case .windowOutside:
            Diagnostic(
                .warning, "window-outside", "the window is not within the canvas")
        case .regionOutside(let id):
            Diagnostic(
                .warning, "region-outside",
                "region \(id) is partly outside of the window and is clipped")
        case .missingRegion(let id):
            Diagnostic(
                .warning, "missing-region", "the page shows region \(id), which was never sent")
        case .missingObject(let id):
            Diagnostic(
                .warning, "missing-object", "a region holds object \(id), which was never sent")
        case .characters:
            Diagnostic(
                .error, "character-object",
                "an object is coded as characters, which cannot be decoded")
        case .unknownCoding:
            Diagnostic(.error, "unknown-coding", "an object is coded in an unknown way")
        case .pixels(.truncated):
            Diagnostic(.error, "truncated-pixels", "the pixels of an object are cut off")
        case .pixels(.unknownType(let type)):
            Diagnostic(
                .error, "damaged-pixels",
                "pixels of an unknown type (\(type)); the rest of the field is left out")
        case .pixels(.codesTooWide):
            Diagnostic(
                .warning, "wide-pixels", "pixels have more bits than their region")
        }
    }
}
