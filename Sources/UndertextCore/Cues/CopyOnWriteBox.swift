/// A value that can be made out of nothing.
protocol Defaulted: Hashable, Sendable {
    init()

    /// `true` if nothing is lost by storing the default instead.
    var isDefault: Bool { get }
}

extension Defaulted {
    var isDefault: Bool { self == Self() }
}

/// A value that is nearly always the default, stored as a single reference.
///
/// Hundreds of thousands of cues are copied several times; properties that most of them lack must not
/// make each copy larger.
struct CopyOnWriteBox<Value: Defaulted>: Hashable, Sendable {
    private final class Box: Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    /// `nil` for the default, always, so that comparing is short.
    private var box: Box?

    /// The default.
    init() {}

    init(_ value: Value) { self.value = value }

    /// `true` if it is the default.
    var isDefault: Bool { box == nil }

    /// The value.
    var value: Value {
        get { box?.value ?? Value() }
        set { box = newValue.isDefault ? nil : Box(newValue) }
    }

    /// A part of the value, without a copy of all of it.
    func part<Part>(_ default: Part, _ part: (borrowing Value) -> Part) -> Part {
        guard let box else { return `default` }
        return part(box.value)
    }

    /// `true` if both keep the same copy.
    func isIdentical(to other: CopyOnWriteBox) -> Bool { box === other.box }

    static func == (left: CopyOnWriteBox, right: CopyOnWriteBox) -> Bool {
        left.box === right.box || left.box?.value == right.box?.value
    }

    func hash(into hasher: inout Hasher) { hasher.combine(box?.value) }
}
