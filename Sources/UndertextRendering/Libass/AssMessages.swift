#if Rendering
    internal import CUndertextAss
    internal import Glibc
    internal import UndertextCore

    /// The messages of an instance of libass, which are not written to standard error.
    final class AssMessages {
        private var messages: [Diagnostic] = []
        private var seen: Set<String> = []
        /// The characters without a glyph, collected during a query.
        private var absent: Set<Unicode.Scalar>?
        /// Files decide how much there is to say.
        private static let most = 100
        /// The highest level that is kept: 0 fatal, 1 error, 2 warning, 4 information, higher levels for debugging.
        private static let leastUrgent: Int32 = 3

        /// Returns the messages since the last call, without duplicates.
        func take() -> [Diagnostic] {
            defer { messages = [] }
            return messages
        }

        /// The characters without a glyph that libass reports during `draw`.
        func missingGlyphs(_ draw: () -> Void) -> Set<Unicode.Scalar> {
            absent = []
            draw()
            defer { absent = nil }
            return absent ?? []
        }

        /// The beginning of libass's message about a character without a glyph; its number and the font follow.
        private static let missing = "fontselect: failed to find any fallback with glyph 0x"

        /// The diagnostic for a missing glyph 0: libass found no font at all.
        private static let noFonts = Diagnostic(
            .error, "no-fonts",
            "no font was found, so text is not drawn; install some with: "
                + "apt-get install fontconfig-config fonts-dejavu-core")

        /// Sets this object, which must outlive `library`, as the receiver of its messages.
        func listen(to library: OpaquePointer, _ functions: UnsafePointer<CAssFunctions>) {
            unsafe functions.pointee.ass_set_message_cb(
                library,
                { level, format, arguments, data in
                    guard level <= AssMessages.leastUrgent, let format = unsafe format,
                        let arguments = unsafe arguments, let data = unsafe data
                    else { return }
                    let messages = unsafe Unmanaged<AssMessages>.fromOpaque(data)
                        .takeUnretainedValue()
                    unsafe messages.record(level, format, arguments)
                }, Unmanaged.passUnretained(self).toOpaque())
        }

        private func record(
            _ level: Int32, _ format: UnsafePointer<CChar>, _ arguments: CVaListPointer
        ) {
            guard seen.count < Self.most || absent != nil else { return }
            let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) {
                buffer in
                guard let base = buffer.baseAddress else { return "" }
                unsafe base.initialize(repeating: 0, count: buffer.count)
                unsafe _ = vsnprintf(base, buffer.count, format, arguments)
                return unsafe String(cString: base)
            }
            let line = String(text.prefix { $0 != "\n" })
            if absent != nil, line.hasPrefix(Self.missing) {
                let digits = line.dropFirst(Self.missing.count).prefix(while: \.isHexDigit)
                if let letter = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) {
                    absent?.insert(letter)
                }
            }
            if line.hasPrefix(Self.missing + "0 ") {
                guard seen.insert(Self.missing).inserted else { return }
                messages.append(Self.noFonts)
                return
            }
            guard seen.count < Self.most, !line.isEmpty, seen.insert(line).inserted else { return }
            messages.append(
                Diagnostic(level <= 1 ? .error : .warning, "libass", "libass: \(line)"))
        }
    }
#endif
