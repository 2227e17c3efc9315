internal import UndertextCore

/// A track as the Tracks element describes it (RFC 9559, section 5.1.4).
struct TrackEntry: Hashable, Sendable {
    /// TrackType.
    enum Kind: UInt64, Hashable, Sendable {
        case video = 1
        case audio = 2
        case subtitle = 17
        case metadata = 33
    }

    var number: UInt64 = 0
    var uid: UInt64 = 0
    /// `nil` for the types that libavformat makes no stream of.
    var kind: Kind?
    /// `true` if the type is one that there is.
    private var hasKnownType = false
    var codecID: String?
    /// With its encodings undone.
    var codecPrivate: [UInt8] = []
    /// The Language element, or its default.
    var language = "eng"
    var languageBCP47: String?
    var name: String?
    var isDefault = true
    var isForced = false
    var isHearingImpaired = false
    var isVisualImpaired = false
    var hasTextDescriptions = false
    var isCommentary = false
    /// `nil` if the element is absent.
    var isOriginal: Bool?
    /// Nanoseconds of a frame; 0 if it is not stated.
    var defaultDuration: UInt64 = 0
    var timestampScale: Double = 1
    /// Nanoseconds.
    var codecDelay: UInt64 = 0
    /// Nanoseconds.
    var seekPreRoll: UInt64 = 0
    var size: PixelSize?
    /// The width of a pixel divided by its height; `nil` if they are the same.
    var pixelAspect: Double?
    /// Samples per second of decoded audio; `nil` if not stated.
    var sampleRate: Double?
    var channels: UInt64?
    var bitDepth: UInt64?
    var encodings: [ContentEncoding] = []
    /// `true` if CodecPrivate could not be decoded.
    var isPrivateDamaged = false
    /// A Boolean value that indicates whether the element or its ContentEncodings is truncated inside a child
    /// element.
    var isDamaged = false
    /// `true` if an element is there twice, has no data, or is one of which libavformat may know more.
    private(set) var isUnusual = false

    /// Reads a TrackEntry element and takes the bytes of its codec header off `privateRoom`.
    init(_ data: ArraySlice<UInt8>, privateRoom: inout Int) {
        var storedPrivate: ArraySlice<UInt8> = []
        var cursor = ElementCursor(data)
        var seen: Set<ElementID> = []
        while let element = cursor.next() {
            note(element, &seen)
            switch element.id {
            case .trackNumber: number = element.unsigned ?? 0
            case .trackUID: uid = element.unsigned ?? 0
            case .trackType:
                kind = element.unsigned.flatMap(Kind.init)
                // Complex, logo, buttons, control.
                let others: [UInt64?] = [3, 16, 18, 32]
                hasKnownType = kind != nil || others.contains(element.unsigned)
            case .codecID: codecID = element.string
            case .codecPrivate: storedPrivate = element.data
            case .language: language = element.string
            case .languageBCP47: languageBCP47 = element.string
            case .name: name = element.string
            case .defaultDuration: defaultDuration = element.unsigned ?? 0
            case .trackTimestampScale: timestampScale = element.float ?? 1
            case .codecDelay: codecDelay = element.unsigned ?? 0
            case .seekPreRoll: seekPreRoll = element.unsigned ?? 0
            case .video: readVideo(element)
            case .audio: readAudio(element)
            case .contentEncodings:
                encodings = ContentEncoding.parse(element.data)
                isDamaged = isDamaged || !ContentEncoding.isWhole(element.data)
            default: readFlag(element)
            }
        }
        isDamaged = isDamaged || cursor.isDamaged
        // Smaller values are mistakes of old writers; libavformat also replaces them by 1.
        if !(timestampScale >= 0.01 && timestampScale < 1e9) { timestampScale = 1 }
        if let decoded = encodings.decodePrivate(storedPrivate, limit: privateRoom) {
            codecPrivate = decoded
            privateRoom -= decoded.count
        } else {
            isPrivateDamaged = !storedPrivate.isEmpty
        }
    }

    private mutating func readFlag(_ element: Element) {
        switch element.id {
        case .flagDefault: isDefault = element.unsigned != 0
        case .flagForced: isForced = element.unsigned != 0
        case .flagHearingImpaired: isHearingImpaired = element.unsigned != 0
        case .flagVisualImpaired: isVisualImpaired = element.unsigned != 0
        case .flagTextDescriptions: hasTextDescriptions = element.unsigned != 0
        case .flagCommentary: isCommentary = element.unsigned != 0
        case .flagOriginal: isOriginal = element.unsigned != 0
        case .flagEnabled: isUnusual = isUnusual || element.unsigned != 1
        default: isUnusual = isUnusual || !element.id.isSilentInTrack
        }
    }

    private mutating func note(_ element: Element, _ seen: inout Set<ElementID>) {
        let isFirst = seen.insert(element.id).inserted || element.id == .blockAdditionMapping
        // The properties of audio have defaults.
        isUnusual = isUnusual || !isFirst || element.data.isEmpty && element.id != .audio
    }

    private mutating func readVideo(_ element: Element) {
        var width: UInt64 = 0
        var height: UInt64 = 0
        var (shownWidth, shownHeight, unit) = (UInt64(0), UInt64(0), UInt64(0))
        var children = element.children
        var seen: Set<ElementID> = []
        while let setting = children.next() {
            note(setting, &seen)
            switch setting.id {
            case .pixelWidth: width = setting.unsigned ?? 0
            case .pixelHeight: height = setting.unsigned ?? 0
            case .displayWidth: shownWidth = setting.unsigned ?? 0
            case .displayHeight: shownHeight = setting.unsigned ?? 0
            case .displayUnit: unit = setting.unsigned ?? 0
            case .stereoMode, .alphaMode: isUnusual = isUnusual || setting.unsigned != 0
            default: isUnusual = isUnusual || !setting.id.isSilentInTrack
            }
        }
        isUnusual = isUnusual || children.isDamaged
        guard width > 0, height > 0, let width = Int32(exactly: width),
            let height = Int32(exactly: height)
        else { return }
        size = PixelSize(width: Int(width), height: Int(height))
        // Pixels, centimeters, inches or a ratio: the quotient is the same; 4 is unknown.
        guard unit < 4, shownWidth > 0, shownHeight > 0 else { return }
        let aspect =
            Double(shownWidth) * Double(height) / (Double(shownHeight) * Double(width))
        if aspect != 1 { pixelAspect = aspect }
    }

    private mutating func readAudio(_ element: Element) {
        var outputRate: Double?
        defer { sampleRate = outputRate ?? sampleRate }
        var children = element.children
        var seen: Set<ElementID> = []
        while let setting = children.next() {
            note(setting, &seen)
            switch setting.id {
            case .samplingFrequency: sampleRate = setting.float
            case .outputSamplingFrequency: outputRate = setting.float
            case .channels: channels = setting.unsigned
            case .bitDepth: bitDepth = setting.unsigned
            default: isUnusual = true
            }
        }
        isUnusual = isUnusual || children.isDamaged
    }

    /// `true` if it has what each track must have, and its codec is one of its type (RFC 9559, section 5.1.4.1).
    var isWhole: Bool {
        guard !isDamaged, number > 0, hasKnownType, let codecID else { return false }
        switch codecID.prefix(2) {
        case "V_": return kind == .video
        case "A_": return kind == .audio
        case "S_": return kind == .subtitle
        case "D_": return kind == .subtitle || kind == .metadata
        default: return true
        }
    }

    /// `true` if libavformat makes a stream of the track.
    var isStream: Bool { kind != nil && codecID != nil }

    /// The language as BCP 47: LanguageBCP47 wins (RFC 9559, section 12).
    var languageTag: LanguageTag? {
        LanguageTag(languageBCP47.flatMap { $0.isEmpty ? nil : $0 } ?? language)
    }
}
