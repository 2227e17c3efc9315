/// Hands an object to C, which owns it until it is released.
func owned(_ object: some AnyObject) -> OpaquePointer {
    unsafe OpaquePointer(Unmanaged.passRetained(object).toOpaque())
}

/// The object behind a handle; `nil` for NULL.
///
/// What C passes must be a handle of that type: nothing can check it.
func object<Object: AnyObject>(_ handle: OpaquePointer?, _ type: Object.Type) -> Object? {
    guard let handle = unsafe handle else { return nil }
    return unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
}

/// Takes an object back from C.
func release<Object: AnyObject>(_ handle: OpaquePointer?, _ type: Object.Type) {
    guard let handle = unsafe handle else { return }
    unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).release()
}

/// Objects as an array of handles that C owns: as many as there is room for.
///
/// - Returns: how many there are.
func hand(
    _ objects: [some AnyObject], to target: UnsafeMutablePointer<OpaquePointer?>?, _ capacity: Int
) -> Int {
    if let target = unsafe target {
        // A size_t: what is negative here is more than anybody has.
        for (index, object) in objects.prefix(capacity < 0 ? .max : capacity).enumerated() {
            unsafe target[index] = owned(object)
        }
    }
    return objects.count
}
