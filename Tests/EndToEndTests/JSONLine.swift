/// The value of a member of a one-line JSON object: a string unescaped, or a number as written.
///
/// The first member of that name counts; names within strings are not told apart, which the
/// records of the command do not need.
func jsonValue(_ key: String, in line: Substring) -> String? {
    guard let start = line.firstRange(of: "\"\(key)\":")?.upperBound else { return nil }
    var rest = line[start...]
    guard rest.first == "\"" else {
        return String(rest.prefix { $0 != "," && $0 != "}" })
    }
    rest = rest.dropFirst()
    var text = ""
    while let character = rest.popFirst(), character != "\"" {
        guard character == "\\" else {
            text.append(character)
            continue
        }
        switch rest.popFirst() {
        case "n": text.append("\n")
        case "r": text.append("\r")
        case "t": text.append("\t")
        case "u":
            let code = UInt32(rest.prefix(4), radix: 16).flatMap(Unicode.Scalar.init)
            rest = rest.dropFirst(4)
            text.unicodeScalars.append(code ?? "?")
        case let other?: text.append(other)
        case nil: break
        }
    }
    return text
}

/// A time in seconds of a one-line JSON object, in milliseconds.
func jsonMilliseconds(_ key: String, in line: Substring) -> Int {
    Int(((jsonValue(key, in: line).flatMap(Double.init) ?? -1) * 1000).rounded())
}
