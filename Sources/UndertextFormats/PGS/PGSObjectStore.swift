internal import UndertextCore

/// The objects of an epoch by their number.
///
/// US 2009/0185789, table 5. They are kept encoded and decoded when they are first shown.
struct PGSObjectStore {
    /// An object as it was sent.
    private struct Object {
        var version: UInt8
        var width: Int
        var height: Int
        var code: [UInt8]
        /// The decoded pixels.
        var image: PGSImage?
        /// The part that was cut out of it last.
        var cut: PGSImage?

        var bytes: Int {
            code.count + (image?.plane.indices.count ?? 0) + (cut?.plane.indices.count ?? 0)
        }
    }

    /// An object whose last fragment has not come yet.
    private struct Unfinished {
        var number: UInt16
        var object: Object
        /// Bytes of code that its first fragment stated.
        var expected: Int
    }

    private let limits: Limits
    private var objects: [UInt16: Object] = [:]
    private var unfinished: Unfinished?
    /// Objects that were not accepted, which was reported.
    private var refused: Set<UInt16> = []
    /// Code and pixels of all objects.
    private var bytes = 0
    private var problems: [PGSProblem] = []

    private let budget: PixelBudget

    init(limits: Limits, budget: PixelBudget) {
        self.limits = limits
        self.budget = budget
    }

    /// The maximum number of bytes for the code and the pixels of an epoch's objects: 1 MiB and 4 MiB on discs.
    private var bytesAtMost: Int { limits.packetSize }

    /// Forgets everything: an epoch begins.
    mutating func removeAll() {
        objects = [:]
        refused = []
        unfinished = nil
        bytes = 0
    }

    /// `true` if an object was received and refused.
    func isRefused(_ number: UInt16) -> Bool { refused.contains(number) }

    /// Adds an object definition segment: an object or a fragment of one.
    mutating func add(_ body: ArraySlice<UInt8>, isCutOff: Bool) {
        var reader = ByteReader(body)
        guard let number = reader.uint16(), let version = reader.uint8(),
            let sequence = reader.uint8()
        else { return damaged("an object's segment has no head") }
        if sequence & 0x80 != 0 {
            finishFragments()
            guard let stated = reader.uint24(), let width = reader.uint16(),
                let height = reader.uint16()
            else { return damaged("an object's segment has no size") }
            guard begin(number, version, width, height, Int(stated)) else { return }
        } else if unfinished?.number != number || unfinished?.object.version != version {
            guard !refused.contains(number) else { return }
            return damaged("a fragment of object \(number) came without its beginning")
        }
        append(reader.rest())
        if sequence & 0x40 != 0, !isCutOff { store() }
    }

    /// Stores an incomplete object at the end of its display set, when its last fragment is missing.
    mutating func finishFragments() {
        guard let unfinished else { return }
        if unfinished.object.code.count < unfinished.expected {
            problems.append(
                PGSProblem(
                    .error, "incomplete-object",
                    "object \(unfinished.number) has \(unfinished.object.code.count) of "
                        + "\(unfinished.expected) bytes"))
        }
        store()
    }

    /// The diagnostics since the last call.
    mutating func takeProblems() -> [PGSProblem] {
        defer { problems = [] }
        return problems
    }

    /// The pixels of an object, or the part of them in `crop`; `nil` where there are none.
    mutating func image(_ number: UInt16, _ crop: PixelRectangle?) -> PGSImage? {
        guard let whole = decoded(number) else { return nil }
        let part = (crop ?? whole.plane.bounds).intersection(whole.plane.bounds)
        guard part != whole.plane.bounds else { return whole }
        if let cut = objects[number]?.cut, cut.part == part { return cut }
        guard budget.spend(width: part.width, height: part.height) else { return nil }
        guard let plane = whole.plane.cropped(to: part) else {
            return PGSImage(plane: whole.plane, part: part, used: [])
        }
        let cut = PGSImage(plane: plane, part: part)
        replace(number) { $0.cut = cut }
        return cut
    }

    /// The size of a stored object.
    func size(_ number: UInt16) -> PixelSize? {
        objects[number].map { PixelSize(width: $0.width, height: $0.height) }
    }

    private mutating func damaged(_ message: String) {
        problems.append(PGSProblem(.error, "damaged-object", message))
    }

    private mutating func refuse(_ number: UInt16, _ code: String, _ message: String) {
        problems.append(PGSProblem(.error, code, message))
        refused.insert(number)
        remove(number)
    }

    private mutating func begin(
        _ number: UInt16, _ version: UInt8, _ width: UInt16, _ height: UInt16, _ stated: Int
    ) -> Bool {
        refused.remove(number)
        guard width > 0, height > 0 else {
            refuse(number, "damaged-object", "object \(number) is \(width)×\(height) pixels")
            return false
        }
        guard Int(width) <= limits.canvas, Int(height) <= limits.canvas else {
            refuse(
                number, "image-too-large",
                "object \(number) of \(width)×\(height) pixels is left out")
            return false
        }
        let object = Object(version: version, width: Int(width), height: Int(height), code: [])
        // The size is stated with the four bytes of width and height.
        unfinished = Unfinished(number: number, object: object, expected: max(0, stated - 4))
        return true
    }

    private mutating func append(_ code: ArraySlice<UInt8>) {
        guard var unfinished else { return }
        self.unfinished = nil
        guard bytes + unfinished.object.code.count + code.count <= bytesAtMost else {
            let message = "the objects of an epoch take more than \(bytesAtMost) bytes"
            return refuse(unfinished.number, "object-memory", message)
        }
        unfinished.object.code += code
        self.unfinished = unfinished
    }

    private mutating func store() {
        guard let unfinished else { return }
        self.unfinished = nil
        let (number, object) = (unfinished.number, unfinished.object)
        if let same = objects[number], same.version == object.version,
            same.width == object.width, same.height == object.height, same.code == object.code
        {
            // Sent again at an acquisition point.
            return
        }
        remove(number)
        objects[number] = object
        bytes += object.bytes
    }

    private mutating func remove(_ number: UInt16) {
        bytes -= objects.removeValue(forKey: number)?.bytes ?? 0
    }

    private mutating func replace(_ number: UInt16, _ change: (inout Object) -> Void) {
        guard var object = objects.removeValue(forKey: number) else { return }
        bytes -= object.bytes
        change(&object)
        bytes += object.bytes
        objects[number] = object
    }

    private mutating func decoded(_ number: UInt16) -> PGSImage? {
        guard let object = objects[number] else { return nil }
        if let image = object.image { return image }
        guard bytes + object.width * object.height <= bytesAtMost else {
            let message = "the objects of an epoch take more than \(bytesAtMost) bytes"
            refuse(number, "object-memory", message)
            return nil
        }
        guard budget.spend(width: object.width, height: object.height) else { return nil }
        let pixels = PGSPixels(
            decoding: object.code[...], width: object.width, height: object.height)
        if pixels.damagedLines > 0 {
            problems.append(
                PGSProblem(
                    .error, "damaged-lines",
                    "\(pixels.damagedLines) of \(object.height) lines of object \(number) are "
                        + "damaged or missing"))
        }
        guard
            let plane = IndexPlane(
                width: object.width, height: object.height, indices: pixels.indices)
        else { return nil }
        let image = PGSImage(plane: plane, part: plane.bounds, used: pixels.used)
        replace(number) { $0.image = image }
        return image
    }
}

/// Pixels of an object, all or a part.
struct PGSImage {
    var plane: IndexPlane
    /// Their position in the object.
    var part: PixelRectangle
    /// The indices that occur, as 256 flags; none if the part is empty.
    var used: [Bool]

    init(plane: IndexPlane, part: PixelRectangle, used: [Bool]) {
        self.plane = plane
        self.part = part
        self.used = used
    }

    /// Looks which indices occur.
    init(plane: IndexPlane, part: PixelRectangle) {
        var used = [Bool](repeating: false, count: 256)
        for index in plane.indices { used[Int(index)] = true }
        self.init(plane: plane, part: part, used: used)
    }
}
