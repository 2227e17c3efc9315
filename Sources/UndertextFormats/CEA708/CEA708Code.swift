/// One code of the data of a service, with its parameters.
///
/// CTA-708-E, sections 7.1 and 8.10.5.
enum CEA708Code: Hashable {
    /// A change of several windows, by its code.
    enum WindowCommand: UInt8 {
        case clear = 0x88
        case display, hide, toggle, delete
    }

    /// A character; `nil` = a transparent space.
    case character(Unicode.Scalar?)
    /// 16 bits that are no character.
    case invalidCharacter
    case backspace
    case formFeed
    case carriageReturn
    case horizontalCarriageReturn
    case setCurrentWindow(Int)
    /// A change of the windows whose bits are set.
    case windows(WindowCommand, UInt8)
    /// A delay in tenths of a second.
    case delay(UInt8)
    case delayCancel
    case reset
    case setPenAttributes([UInt8])
    case setPenColor([UInt8])
    case setPenLocation(row: Int, column: Int)
    case setWindowAttributes([UInt8])
    case defineWindow(Int, [UInt8])
    /// NUL, ETX, and codes without a meaning, which are skipped.
    case none

    /// The first code of `bytes` and its length; `nil` if it is not complete.
    ///
    /// Codes that have no meaning yet are as long as CTA-708-E, section 7.1, says.
    static func first(of bytes: ArraySlice<UInt8>) -> (code: CEA708Code, length: Int)? {
        guard let first = bytes.first, let length = length(of: bytes), length <= bytes.count else {
            return nil
        }
        let parameters = Array(bytes.dropFirst().prefix(length - 1))
        return (CEA708Code(first, parameters), length)
    }

    private static func length(of bytes: ArraySlice<UInt8>) -> Int? {
        let parameters: Int
        switch bytes[bytes.startIndex] {
        case 0x10: return extendedLength(of: bytes.dropFirst()).map { $0 + 1 }
        case 0x11...0x17: parameters = 1
        case 0x18...0x1F: parameters = 2
        case 0x88...0x8D: parameters = 1
        case 0x90, 0x92: parameters = 2
        case 0x91: parameters = 3
        case 0x97: parameters = 4
        case 0x98...0x9F: parameters = 6
        default: parameters = 0
        }
        return parameters + 1
    }

    /// The length of a code after EXT1.
    private static func extendedLength(of bytes: ArraySlice<UInt8>) -> Int? {
        guard let first = bytes.first else { return nil }
        switch first {
        case 0x08...0x0F: return 2
        case 0x10...0x17: return 3
        case 0x18...0x1F: return 4
        case 0x80...0x87: return 5
        case 0x88...0x8F: return 6
        // The next byte has the number of those that follow it.
        case 0x90...0x9F: return bytes.dropFirst().first.map { 2 + Int($0 & 0x3F) }
        default: return 1
        }
    }

    /// The code of a byte and all of its parameters.
    private init(_ first: UInt8, _ parameters: [UInt8]) {
        switch first {
        case 0x08: self = .backspace
        case 0x0C: self = .formFeed
        case 0x0D: self = .carriageReturn
        case 0x0E: self = .horizontalCarriageReturn
        case 0x10:
            switch parameters[0] {
            case 0x20...0x7F, 0xA0...0xFF:
                self = .character(CEA708Character.extended(parameters[0]))
            default: self = .none
            }
        case 0x18:
            let scalar = Unicode.Scalar(UInt16(parameters[0]) << 8 | UInt16(parameters[1]))
            self = scalar.map { .character($0) } ?? .invalidCharacter
        case 0x20...0x7F, 0xA0...0xFF: self = .character(CEA708Character.standard(first))
        case 0x80...0x87: self = .setCurrentWindow(Int(first & 7))
        case 0x88...0x8C:
            self = WindowCommand(rawValue: first).map { .windows($0, parameters[0]) } ?? .none
        case 0x8D: self = .delay(parameters[0])
        case 0x8E: self = .delayCancel
        case 0x8F: self = .reset
        case 0x90: self = .setPenAttributes(parameters)
        case 0x91: self = .setPenColor(parameters)
        case 0x92:
            self = .setPenLocation(
                row: Int(parameters[0] & 0x0F), column: Int(parameters[1] & 0x3F))
        case 0x97: self = .setWindowAttributes(parameters)
        case 0x98...0x9F: self = .defineWindow(Int(first & 7), parameters)
        default: self = .none
        }
    }
}
