/// What the records of a JSON output tell of the whole run; known when the reading has ended.
final class RunSummary {
    /// How the input was read.
    var summary: ReadSummary?
    /// `true` if input was lost outside the tracks.
    var isPartial = false
}
