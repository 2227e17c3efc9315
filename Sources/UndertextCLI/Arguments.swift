internal import CUndertextArguments
internal import Undertext
internal import UndertextCore

/// The arguments of the command without its own name, as the kernel gave them.
///
/// Names of files are any bytes: ``UndertextCore/PathText`` says how they become text.
enum Arguments {
    static func all() -> [String] {
        (1..<max(1, carguments_count())).map { index in
            let length = carguments_length(index)
            return PathText.text(of: (0..<length).map { carguments_byte(index, $0) })
        }
    }
}
