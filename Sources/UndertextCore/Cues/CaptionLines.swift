/// The lines of a caption on its grid, as renderers draw them; percentages of the video.
///
/// They are a more exact form of the layout and never make two layouts differ.
package struct CaptionLines: Hashable, Sendable {
    /// A line of the text.
    package struct Line: Sendable {
        /// The left edge of the first character.
        package var left: Double
        /// The upper edge.
        package var top: Double
        /// The width of a character.
        package var columnWidth: Double
        /// The height of letters of the usual size.
        package var height: Double
        /// The background boxes of the characters.
        package var boxes: [RegionBackground]

        /// Creates a line.
        package init(
            left: Double, top: Double, columnWidth: Double, height: Double,
            boxes: [RegionBackground]
        ) {
            self.left = left
            self.top = top
            self.columnWidth = columnWidth
            self.height = height
            self.boxes = boxes
        }
    }

    /// The lines in the order of the text; empty if the text is not on a grid.
    package var lines: [Line] = []

    /// Creates lines.
    package init(_ lines: [Line] = []) { self.lines = lines }

    /// Always `true`.
    package static func == (_: CaptionLines, _: CaptionLines) -> Bool { true }

    /// Adds nothing.
    package func hash(into _: inout Hasher) {}
}
