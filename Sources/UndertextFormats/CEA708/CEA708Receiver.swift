internal import UndertextCore

/// Decodes one service of DTVCC: the data of its service blocks in, the windows that a viewer sees out.
///
/// CTA-708-E, section 8.
struct CEA708Receiver {
    /// The losses of text since they were last taken.
    struct Losses: Hashable {
        /// Codes of 16 bits that are no character.
        var invalidCharacters = 0
        /// Characters beyond the longest line.
        var displaced = 0
    }

    /// The windows by their numbers.
    private(set) var windows = [CEA708Window?](repeating: nil, count: 8)
    /// The end of a delay; `nil` if there is none.
    private(set) var resumption: Timestamp?
    private(set) var losses = Losses()

    private var current: Int?
    /// The data that has not been interpreted yet.
    private var buffer: [UInt8] = []

    /// Bytes of the service input buffer.
    private static let bufferSize = 128

    /// Returns what was lost, and forgets it.
    mutating func takeLosses() -> Losses {
        defer { losses = Losses() }
        return losses
    }

    // MARK: Data

    /// Takes the data of a service block.
    mutating func receive(_ data: ArraySlice<UInt8>, at time: Timestamp) {
        buffer += data
        if resumption != nil { endDelay() }
        interpret(at: time)
    }

    /// Ends a delay, and interprets what has arrived meanwhile.
    mutating func resume(at time: Timestamp) {
        resumption = nil
        interpret(at: time)
    }

    /// Deletes all windows and forgets the data that has not been interpreted.
    mutating func reset() { self = CEA708Receiver(losses: losses) }

    /// Forgets a code that was not complete before a gap in the data.
    mutating func forgetIncompleteCode() {
        if resumption == nil { buffer = [] }
    }

    init() {}

    private init(losses: Losses) { self.losses = losses }

    private mutating func interpret(at time: Timestamp) {
        while resumption == nil, let (code, length) = CEA708Code.first(of: buffer[...]) {
            buffer.removeFirst(length)
            execute(code, at: time)
            if resumption != nil { endDelay() }
        }
    }

    /// Ends a delay if the buffer is full, or has the code for it.
    ///
    /// CTA-708-E, section 8.10.5: DelayCancel and Reset are recognized when they arrive, before the data that waits.
    private mutating func endDelay() {
        var rest = buffer[...]
        while let (code, length) = CEA708Code.first(of: rest) {
            rest = rest.dropFirst(length)
            switch code {
            case .reset:
                reset()
                buffer = Array(rest)
                return
            case .delayCancel:
                resumption = nil
                return
            default: break
            }
        }
        if buffer.count >= Self.bufferSize { resumption = nil }
    }

    // MARK: Codes

    private mutating func execute(_ code: CEA708Code, at time: Timestamp) {
        switch code {
        case .none, .delayCancel: break
        case .reset:
            let rest = buffer
            reset()
            buffer = rest
        case .delay(let tenths):
            if tenths > 0 {
                resumption = time.advanced(by: .milliseconds(Int64(tenths) * 100))
            }
        case .setCurrentWindow(let index): current = index
        case .defineWindow(let index, let parameters):
            current = index
            if windows[index] == nil { windows[index] = CEA708Window(parameters) }
            windows[index]?.define(parameters)
        case .windows(let command, let indexes):
            for index in windows.indices where indexes >> UInt8(index) & 1 != 0 {
                change(index, command)
            }
        default:
            guard let current, var window = windows[current] else { return }
            windows[current] = nil
            write(code, to: &window)
            windows[current] = window
        }
    }

    private mutating func change(_ index: Int, _ command: CEA708Code.WindowCommand) {
        switch command {
        case .clear: windows[index]?.clear()
        case .display: windows[index]?.setVisible(true)
        case .hide: windows[index]?.setVisible(false)
        case .toggle:
            let isVisible = windows[index]?.isVisible == true
            windows[index]?.setVisible(!isVisible)
        case .delete: windows[index] = nil
        }
    }

    private mutating func write(_ code: CEA708Code, to window: inout CEA708Window) {
        switch code {
        case .character(let character): write(character, to: &window)
        case .invalidCharacter:
            losses.invalidCharacters += 1
            write("\u{FFFD}", to: &window)
        case .backspace: window.eraseBackwards()
        case .formFeed: window.feedForm()
        case .carriageReturn: window.returnCarriage()
        case .horizontalCarriageReturn: window.clearLine()
        case .setPenAttributes(let parameters): window.pen.setAttributes(parameters)
        case .setPenColor(let parameters): window.pen.setColor(parameters)
        case .setPenLocation(let row, let column): window.movePen(row: row, column: column)
        case .setWindowAttributes(let parameters): window.setAttributes(parameters)
        default: break
        }
    }

    private mutating func write(
        _ character: Unicode.Scalar?, to window: inout CEA708Window
    ) {
        let isWritten = window.write(
            CEA708Window.Cell(character: character, pen: character == nil ? .init() : window.pen))
        if !isWritten { losses.displaced += 1 }
    }
}
