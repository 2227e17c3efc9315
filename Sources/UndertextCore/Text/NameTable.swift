/// The entries `name=value` of a table in source code, in order; other text is skipped.
package func tableEntries(
    _ table: String, separators: String = " \n"
) -> [(name: Substring, value: Substring)] {
    table.utf8.split { separators.utf8.contains($0) }.compactMap { entry in
        let halves = entry.split(separator: UInt8(ascii: "="))
        return halves.count == 2 ? (Substring(halves[0]), Substring(halves[1])) : nil
    }
}
