import UndertextIO

/// Whatever a file calls its attachments, the name stays in its folder and visible.
func pathNameFuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    let text = String(decoding: bytes, as: UTF8.self)
    if let name = PathName.sanitised(text, limit: 100) {
        precondition(!name.isEmpty && name.utf8.count <= 100)
        precondition(!name.utf8.contains(UInt8(ascii: "/")) && !name.utf8.contains(0))
        precondition(name.utf8.first != UInt8(ascii: "."))
        precondition(PathName.baseName(name) == name)
    }
    let base = PathName.baseName(text)
    precondition(PathName.stem(text).utf8.count <= base.utf8.count)
    precondition(!base.utf8.contains(UInt8(ascii: "/")))
    precondition(!PathName.directoryName(text).isEmpty)
    return 0
}
