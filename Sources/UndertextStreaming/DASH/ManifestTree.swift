internal import UndertextCore
internal import UndertextXML

/// An element of a manifest with what it holds.
final class ManifestElement {
    /// The name without its prefix.
    let name: String
    /// Attributes by name, prefixes included.
    let attributes: [String: String]
    fileprivate(set) var children: [ManifestElement] = []
    fileprivate(set) var text = ""
    /// The addressing of the element, parsed once for all representations that inherit it.
    var segmentParts: DASHAddressing.Parts?

    init(_ name: String, _ attributes: [String: String]) {
        self.name = name
        self.attributes = attributes
    }

    subscript(_ name: String) -> String? { attributes[name] }

    /// The first child of that name.
    func child(_ name: String) -> ManifestElement? { children.first { $0.name == name } }

    /// All children of that name.
    func all(_ name: String) -> [ManifestElement] { children.filter { $0.name == name } }

    /// A whole number that is not negative.
    func number(_ name: String) -> Int64? {
        attributes[name].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }
}

/// Reads a manifest as a tree with a bounded number of elements.
final class ManifestTree: XMLHandler {
    private(set) var root: ManifestElement?
    private(set) var isTooLarge = false
    private var open: [ManifestElement] = []
    private var count = 0
    private let limit: Int

    private init(limit: Int) { self.limit = limit }

    /// The root of a document.
    ///
    /// - Throws: `UndertextError`: `limit`, or `notMedia` where it is no XML.
    static func read(
        _ bytes: [UInt8], limits: StreamingLimits
    ) throws(UndertextError) -> ManifestElement {
        guard bytes.count <= limits.playlistSize else {
            throw UndertextError(.limit, "the manifest is longer than \(limits.playlistSize) bytes")
        }
        let tree = ManifestTree(limit: limits.elements)
        do throws(XMLError) {
            try XMLReader.read(bytes, handler: tree, depth: 64)
        } catch {
            throw UndertextError(
                .notMedia, "the manifest cannot be read: \(error)",
                byteOffset: UInt64(clamping: error.byteOffset))
        }
        guard !tree.isTooLarge else {
            throw UndertextError(.limit, "the manifest has more than \(limits.elements) elements")
        }
        guard let root = tree.root else { throw UndertextError(.notMedia, "the manifest is empty") }
        return root
    }

    func start(_ name: String, attributes: [XMLAttribute]) {
        count += 1
        guard count <= limit else {
            isTooLarge = true
            return
        }
        let local = name.split(separator: ":").last.map(String.init) ?? name
        let element = ManifestElement(
            local, Dictionary(attributes.map { ($0.name, $0.value) }) { first, _ in first })
        if let parent = open.last { parent.children.append(element) } else { root = element }
        open.append(element)
    }

    func end(_ name: String) { _ = open.popLast() }

    func text(_ text: String) { open.last?.text += text }

    var wantsMore: Bool { !isTooLarge }
}
