internal import CUndertextArguments
internal import Undertext
internal import UndertextCore

/// The command-line arguments as the kernel passed them, without the command name.
///
/// File names may contain arbitrary bytes; ``UndertextCore/PathText`` describes how they become text.
enum Arguments {
    static func all() -> [String] { (1..<max(1, carguments_count())).map(text) }

    /// The name under which the command was called; `nil` if the caller gave none.
    static var name: String? { carguments_count() > 0 ? text(0) : nil }

    private static func text(_ index: Int32) -> String {
        let length = carguments_length(index)
        return PathText.text(of: (0..<length).map { carguments_byte(index, $0) })
    }
}
