internal import UndertextCore

/// Tags by name, ignoring case, in the order of FFmpeg's dictionary.
///
/// A new value for a name moves to the end, and the last tag moves to the old position.
struct TagDictionary: Sendable {
    private(set) var tags: [MetadataTag] = []
    private var places: [String: Int] = [:]

    init() {}

    /// Sets a value; the earlier one of the same name is replaced, its spelling too.
    mutating func set(_ key: String, _ value: String) {
        let folded = key.lowercased()
        if let place = places[folded] {
            let last = tags.removeLast()
            if place < tags.count {
                tags[place] = last
                places[last.key.lowercased()] = place
            }
        }
        places[folded] = tags.count
        tags.append(MetadataTag(key, value))
    }

    /// The value of a name.
    subscript(_ key: String) -> String? {
        places[key.lowercased()].map { tags[$0].value }
    }

    /// Adds tags under the names that libavformat gives them.
    ///
    /// A value in a language gets the language after its name, and is stored under its plain name,
    /// too, if it is the default.
    mutating func add(_ values: [SimpleTag], prefix: String?) {
        for value in values {
            guard let name = value.name else { continue }
            let key = shortened(prefix.map { "\($0)/\(name)" } ?? name)
            let language = value.language.isEmpty || value.language == "und" ? nil : value.language
            if value.isDefault || language == nil { set(value, key: key) }
            if let language { set(value, key: shortened("\(key)-\(language)")) }
        }
    }

    private mutating func set(_ value: SimpleTag, key: String) {
        let known = ["lead_performer": "performer", "part_number": "track"]
        set(known[key.lowercased()] ?? key, value.value)
        add(value.children, prefix: key)
    }
}

/// A name of 1023 bytes at most, as libavformat has it: names grow with their nesting.
private func shortened(_ name: String) -> String {
    name.utf8.count < 1024 ? name : String(decoding: name.utf8.prefix(1023), as: UTF8.self)
}
