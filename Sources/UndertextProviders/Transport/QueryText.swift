internal import UndertextCore

/// Parameters of addresses and forms.
enum QueryText {
    /// `name=value&…`, encoded as forms are: a blank is `+`, other bytes than letters, digits and
    /// `-._` are `%XX`.
    ///
    /// URL Standard, section 5.2.
    static func encoded(_ parameters: [(String, String)]) -> String {
        parameters.map { "\(encoded($0.0))=\(encoded($0.1))" }.joined(separator: "&")
    }

    static func encoded(_ text: String) -> String {
        URI.escaped(text) { $0 == 0x20 || $0 != 0x7E && URI.isUnreserved($0) }
            .replacing(" ", with: "+")
    }
}
