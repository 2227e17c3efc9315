import FuzzTargets

/// The target by whose name the program is called.
private let chosen: FuzzTarget = {
    let name = CommandLine.arguments[0].split(separator: "/").last.map(String.init) ?? ""
    guard let target = fuzzTargets[name] else {
        preconditionFailure("'\(name)' is none of \(fuzzTargets.keys.sorted())")
    }
    return target
}()

/// C: `LLVMFuzzerTestOneInput` of libFuzzer.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt { chosen(start, count) }
