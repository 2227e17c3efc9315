internal import UndertextCore

/// Returns a handle that owns a reference to an object; ``release(_:_:)`` frees it.
func owned(_ object: some AnyObject) -> OpaquePointer {
    unsafe OpaquePointer(Unmanaged.passRetained(object).toOpaque())
}

/// Returns the object of a handle, or `nil` for NULL.
///
/// The type of the handle cannot be checked: the caller in C must pass a handle of that type.
func object<Object: AnyObject>(_ handle: OpaquePointer?, _ type: Object.Type) -> Object? {
    guard let handle = unsafe handle else { return nil }
    return unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
}

/// Frees a handle; NULL does nothing.
func release<Object: AnyObject>(_ handle: OpaquePointer?, _ type: Object.Type) {
    guard let handle = unsafe handle else { return }
    unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).release()
}

/// Stores new handles of the first `capacity` objects in an array of the caller, unless it is NULL.
///
/// - Returns: The number of all objects.
func hand(
    _ objects: [some AnyObject], to target: UnsafeMutablePointer<OpaquePointer?>?, _ capacity: Int
) -> Int {
    if let target = unsafe target {
        // A size_t beyond Int.max is negative here.
        for (index, object) in objects.prefix(capacity < 0 ? .max : capacity).enumerated() {
            unsafe target[index] = owned(object)
        }
    }
    return objects.count
}
