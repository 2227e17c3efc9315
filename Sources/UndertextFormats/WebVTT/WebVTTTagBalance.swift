internal import UndertextCore

/// Finds the tags of WebVTT cue text that open or close nothing.
///
/// W3C WebVTT, section 3.2: the end tags of `v` and `rt` may be left out.
enum WebVTTTagBalance {
    private static let names: Set<String> = ["c", "i", "b", "u", "ruby", "rt", "v", "lang"]

    static func unbalanced(in bytes: [UInt8]) -> [UnbalancedTag] {
        var balance = TagBalance()
        var tokens = WebVTTTokenizer(bytes)
        while let token = tokens.next() {
            switch token {
            case .start(let name, _, _):
                if let name = known(name) { balance.open(name) }
            case .end(let name):
                if let name = known(name) { balance.close(name) }
            case .text, .timestamp: break
            }
        }
        return balance.unbalanced(except: ["v", "rt"])
    }

    private static func known(_ name: ArraySlice<UInt8>) -> String? {
        guard name.count <= 4 else { return nil }
        let name = String(decoding: name, as: UTF8.self)
        return names.contains(name) ? name : nil
    }
}
