/// The identifier of an EBML element, marker bits included (RFC 8794, section 5).
struct ElementID: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }
    init(_ rawValue: UInt32) { self.rawValue = rawValue }
}

/// The elements of RFC 8794, section 11, and RFC 9559, section 5.
extension ElementID {
    static let ebml = ElementID(0x1A45_DFA3)
    static let ebmlReadVersion = ElementID(0x42F7)
    static let ebmlMaxIDLength = ElementID(0x42F2)
    static let ebmlMaxSizeLength = ElementID(0x42F3)
    static let docType = ElementID(0x4282)
    static let void = ElementID(0xEC)
    static let crc32 = ElementID(0xBF)

    static let segment = ElementID(0x1853_8067)
    static let seekHead = ElementID(0x114D_9B74)
    static let info = ElementID(0x1549_A966)
    static let tracks = ElementID(0x1654_AE6B)
    static let cluster = ElementID(0x1F43_B675)
    static let cues = ElementID(0x1C53_BB6B)
    static let tags = ElementID(0x1254_C367)
    static let attachments = ElementID(0x1941_A469)
    static let chapters = ElementID(0x1043_A770)

    static let seek = ElementID(0x4DBB)
    static let seekID = ElementID(0x53AB)
    static let seekPosition = ElementID(0x53AC)

    static let timestampScale = ElementID(0x2AD7B1)
    static let duration = ElementID(0x4489)
    static let dateUTC = ElementID(0x4461)
    static let title = ElementID(0x7BA9)
    static let muxingApp = ElementID(0x4D80)
    static let writingApp = ElementID(0x5741)

    static let trackEntry = ElementID(0xAE)
    static let trackNumber = ElementID(0xD7)
    static let trackUID = ElementID(0x73C5)
    static let trackType = ElementID(0x83)
    static let flagDefault = ElementID(0x88)
    static let flagForced = ElementID(0x55AA)
    static let flagHearingImpaired = ElementID(0x55AB)
    static let flagVisualImpaired = ElementID(0x55AC)
    static let flagTextDescriptions = ElementID(0x55AD)
    static let flagOriginal = ElementID(0x55AE)
    static let flagCommentary = ElementID(0x55AF)
    static let flagEnabled = ElementID(0xB9)
    static let flagLacing = ElementID(0x9C)
    static let minCache = ElementID(0x6DE7)
    static let maxCache = ElementID(0x6DF8)
    static let maxBlockAdditionID = ElementID(0x55EE)
    static let blockAdditionMapping = ElementID(0x41E4)
    static let codecName = ElementID(0x258688)
    static let codecDecodeAll = ElementID(0xAA)
    static let defaultDecodedFieldDuration = ElementID(0x234E7A)
    static let defaultDuration = ElementID(0x23E383)
    static let trackTimestampScale = ElementID(0x23314F)
    static let name = ElementID(0x536E)
    static let language = ElementID(0x22B59C)
    static let languageBCP47 = ElementID(0x22B59D)
    static let codecID = ElementID(0x86)
    static let codecPrivate = ElementID(0x63A2)
    static let codecDelay = ElementID(0x56AA)
    static let seekPreRoll = ElementID(0x56BB)
    static let video = ElementID(0xE0)
    static let pixelWidth = ElementID(0xB0)
    static let pixelHeight = ElementID(0xBA)
    static let displayWidth = ElementID(0x54B0)
    static let displayHeight = ElementID(0x54BA)
    static let displayUnit = ElementID(0x54B2)
    static let flagInterlaced = ElementID(0x9A)
    static let fieldOrder = ElementID(0x9D)
    static let aspectRatioType = ElementID(0x54B3)
    static let stereoMode = ElementID(0x53B8)
    static let alphaMode = ElementID(0x53C0)
    static let colour = ElementID(0x55B0)
    static let audio = ElementID(0xE1)
    static let samplingFrequency = ElementID(0xB5)
    static let outputSamplingFrequency = ElementID(0x78B5)
    static let channels = ElementID(0x9F)
    static let bitDepth = ElementID(0x6264)

    static let contentEncodings = ElementID(0x6D80)
    static let contentEncoding = ElementID(0x6240)
    static let contentEncodingOrder = ElementID(0x5031)
    static let contentEncodingScope = ElementID(0x5032)
    static let contentEncodingType = ElementID(0x5033)
    static let contentCompression = ElementID(0x5034)
    static let contentEncryption = ElementID(0x5035)
    static let contentCompAlgo = ElementID(0x4254)
    static let contentCompSettings = ElementID(0x4255)

    static let timestamp = ElementID(0xE7)
    static let position = ElementID(0xA7)
    static let prevSize = ElementID(0xAB)
    static let silentTracks = ElementID(0x5854)
    static let encryptedBlock = ElementID(0xAF)
    static let simpleBlock = ElementID(0xA3)
    static let blockGroup = ElementID(0xA0)
    static let block = ElementID(0xA1)
    static let blockDuration = ElementID(0x9B)
    static let referenceBlock = ElementID(0xFB)
    static let referencePriority = ElementID(0xFA)
    static let referenceVirtual = ElementID(0xFD)
    static let codecState = ElementID(0xA4)
    static let discardPadding = ElementID(0x75A2)
    static let slices = ElementID(0x8E)
    static let referenceFrame = ElementID(0xC8)
    static let blockVirtual = ElementID(0xA2)
    static let blockAdditions = ElementID(0x75A1)
    static let blockMore = ElementID(0xA6)
    static let blockAddID = ElementID(0xEE)
    static let blockAdditional = ElementID(0xA5)

    static let cuePoint = ElementID(0xBB)
    static let cueTime = ElementID(0xB3)
    static let cueTrackPositions = ElementID(0xB7)
    static let cueTrack = ElementID(0xF7)
    static let cueClusterPosition = ElementID(0xF1)
    static let cueRelativePosition = ElementID(0xF0)
    static let cueDuration = ElementID(0xB2)
    static let cueBlockNumber = ElementID(0x5378)
    static let cueCodecState = ElementID(0xEA)
    static let cueReference = ElementID(0xDB)

    static let tag = ElementID(0x7373)
    static let targets = ElementID(0x63C0)
    static let targetType = ElementID(0x63CA)
    static let tagTrackUID = ElementID(0x63C5)
    static let tagChapterUID = ElementID(0x63C4)
    static let tagAttachmentUID = ElementID(0x63C6)
    static let simpleTag = ElementID(0x67C8)
    static let tagName = ElementID(0x45A3)
    static let tagLanguage = ElementID(0x447A)
    static let tagDefault = ElementID(0x4484)
    static let tagDefaultMisspelt = ElementID(0x44B4)
    static let tagString = ElementID(0x4487)

    static let attachedFile = ElementID(0x61A7)
    static let fileDescription = ElementID(0x467E)
    static let fileName = ElementID(0x466E)
    static let fileMediaType = ElementID(0x4660)
    static let fileData = ElementID(0x465C)
    static let fileUID = ElementID(0x46AE)

    static let editionEntry = ElementID(0x45B9)
    static let chapterAtom = ElementID(0xB6)
    static let chapterUID = ElementID(0x73C4)
    static let chapterTimeStart = ElementID(0x91)
    static let chapterTimeEnd = ElementID(0x92)
    static let chapterDisplay = ElementID(0x80)
    static let chapString = ElementID(0x85)
}

extension ElementID {
    /// `true` if the element is a child of the segment: it ends a cluster of unknown size.
    var isTopLevel: Bool {
        switch self {
        case .segment, .seekHead, .info, .tracks, .cluster, .cues, .tags, .attachments, .chapters,
            .ebml:
            return true
        default: return false
        }
    }

    /// A Boolean value that indicates whether the element is a top-level element or may occur between them.
    var belongsToSegment: Bool { isTopLevel || self == .void || self == .crc32 }

    /// `true` if the element may occur in a cluster (RFC 9559, section 5.1.3).
    var belongsToCluster: Bool {
        switch self {
        case .timestamp, .simpleBlock, .blockGroup, .position, .prevSize, .silentTracks,
            .encryptedBlock, .void, .crc32:
            return true
        default: return false
        }
    }

    /// `true` if the element says nothing about a track that a description could show: its presence may be ignored.
    var isSilentInTrack: Bool {
        switch self {
        case .flagLacing, .minCache, .maxCache, .maxBlockAdditionID, .blockAdditionMapping,
            .codecName, .codecDecodeAll, .defaultDecodedFieldDuration, .flagInterlaced, .fieldOrder,
            .aspectRatioType, .colour:
            return true
        default: return false
        }
    }

    /// `true` if the element may follow the Block within its BlockGroup.
    var belongsToBlockGroup: Bool {
        switch self {
        case .blockDuration, .referenceBlock, .referencePriority, .referenceVirtual, .codecState,
            .discardPadding, .slices, .referenceFrame, .blockVirtual, .blockAdditions:
            return true
        default: return false
        }
    }
}
