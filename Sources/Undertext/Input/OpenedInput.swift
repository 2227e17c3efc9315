internal import UndertextContainers
internal import UndertextFormats
internal import UndertextStreaming

/// Which of our readers an input was opened with.
enum OpenedInput {
    case matroska(MatroskaFile)
    case images(ImageFolder)
    case vobSub(VobSubInput)
    case sup(SUPFile)
    case text(TextInput)
    case presentation(Presentation)
    /// libavformat reads it.
    case other

    /// What was found damaged while opening.
    var diagnostics: [Diagnostic] {
        switch self {
        case .matroska(let file): file.diagnostics
        case .images(let folder): folder.document.diagnostics
        case .vobSub(let pair): pair.diagnostics
        case .text(let text): text.diagnostics
        case .presentation(let presentation): presentation.diagnostics
        case .sup, .other: []
        }
    }

    /// Whether libavformat is asked only where `probe` wants its words.
    var isOurs: Bool {
        if case .other = self { false } else { true }
    }
}
