internal import UndertextCore

/// Finds override blocks of ASS events that nothing closes: their tags are shown as text.
enum ASSTagBalance {
    /// The fields before the text of an event.
    private static let fieldsBeforeText = 8

    static func unbalanced(in event: String) -> [UnbalancedTag] {
        let fields = event.utf8.split(
            separator: 0x2C, maxSplits: fieldsBeforeText, omittingEmptySubsequences: false)
        guard fields.count > fieldsBeforeText else { return [] }
        var isOpen = false
        var isEscaped = false
        for byte in fields[fieldsBeforeText] {
            switch byte {
            case 0x7B where !isEscaped: isOpen = true
            case 0x7D: isOpen = false
            default: break
            }
            isEscaped = byte == 0x5C && !isOpen && !isEscaped
        }
        return isOpen ? [UnbalancedTag("{")] : []
    }
}
