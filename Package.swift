// swift-tools-version: 6.2

import PackageDescription

/// Linking FFmpeg at build time is for distributions; by default it is bound at its first use.
let linksFFmpeg = Context.environment["UNDERTEXT_LINK_FFMPEG"] == "1"

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

let demuxSettings: [SwiftSetting] =
    settings + (linksFFmpeg ? [.unsafeFlags(["-Xcc", "-DCFFMPEG_LINKED"])] : [])

let demuxLinkage: [LinkerSetting] =
    linksFFmpeg
    ? ["avformat", "avcodec", "avutil", "swscale"].map { .linkedLibrary($0) } : []

/// Each target may import only what stands here: the arrows of ARCHITECTURE.md.
let package = Package(
    name: "undertext",
    products: [
        .library(name: "Undertext", targets: ["Undertext"]),
        .library(name: "SubtitlePlayback", targets: ["SubtitlePlayback"]),
        .library(name: "Online", targets: ["Online"]),
        .library(name: "SubtitleRendering", targets: ["SubtitleRendering"]),
        .library(name: "Streaming", targets: ["Streaming"]),
        .library(name: "StreamingServer", targets: ["StreamingServer"]),
        .executable(name: "undertext", targets: ["UndertextCLI"]),
        // All that libundertext.so is linked from, by Scripts/library.sh.
        .library(name: "UndertextC", type: .static, targets: ["UndertextC"]),
        // For Tests/Fuzz only: SwiftPM lets a nested package use products, not targets.
        .library(name: "FuzzTargets", targets: ["FuzzTargets"]),
    ],
    traits: [
        .trait(
            name: "Recognition",
            description: "Text of bitmap subtitles by Tesseract, bound at its first use."),
        .trait(
            name: "Online",
            description: "Search and download of subtitles on the web by libcurl."),
        .trait(
            name: "Rendering",
            description: "Subtitles drawn for players by libass, bound at its first use."),
        .trait(
            name: "Server",
            description: "Subtitles added to streams on the way, by an HTTP server."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        // Behind the trait Server; the rest are what its interface speaks in.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ],
    targets: [
        // Values: no I/O, no C.
        .target(name: "MediaCore", swiftSettings: settings),
        .target(name: "CueModel", dependencies: ["MediaCore"], swiftSettings: settings),

        // Leaves: each the only importer of one C library.
        .systemLibrary(
            name: "CFFmpeg",
            path: "CFFmpeg",
            providers: [
                .apt(["libavformat-dev", "libavcodec-dev", "libavutil-dev", "libswscale-dev"])
            ]
        ),
        .systemLibrary(
            name: "CDeflate",
            path: "Sources/CDeflate",
            pkgConfig: "libdeflate",
            providers: [.apt(["libdeflate-dev"])]
        ),
        .systemLibrary(
            name: "CPNG",
            path: "Sources/CPNG",
            pkgConfig: "libpng",
            providers: [.apt(["libpng-dev"])]
        ),
        .systemLibrary(
            name: "CExpat",
            path: "Sources/CExpat",
            pkgConfig: "expat",
            providers: [.apt(["libexpat1-dev"])]
        ),
        .systemLibrary(
            name: "CCurl",
            path: "Sources/CCurl",
            providers: [.apt(["libcurl4-openssl-dev"])]
        ),
        .systemLibrary(
            name: "CTesseract",
            path: "Sources/CTesseract",
            providers: [.apt(["libtesseract-dev"])]
        ),
        .systemLibrary(
            name: "CAss",
            path: "Sources/CAss",
            providers: [.apt(["libass-dev"])]
        ),
        .systemLibrary(
            name: "CUchardet",
            path: "Sources/CUchardet",
            providers: [.apt(["libuchardet-dev"])]
        ),
        .systemLibrary(name: "CLinux", path: "Sources/CLinux"),
        // For the command alone: a library takes nothing from the process that it is in.
        .target(name: "CArguments"),
        .target(
            name: "SystemIO", dependencies: ["CLinux", "MediaCore"], swiftSettings: settings),
        .target(name: "Curl", dependencies: ["CCurl", "MediaCore"], swiftSettings: settings),
        .target(name: "Deflate", dependencies: ["CDeflate"], swiftSettings: settings),
        .target(name: "PNG", dependencies: ["CPNG", "Deflate"], swiftSettings: settings),
        .target(
            name: "Charsets", dependencies: ["CUchardet", "MediaCore"], swiftSettings: settings),
        .target(name: "XMLEvents", dependencies: ["CExpat"], swiftSettings: settings),
        .target(
            name: "Demux",
            dependencies: ["CFFmpeg", "MediaCore"],
            swiftSettings: demuxSettings,
            linkerSettings: demuxLinkage
        ),

        // Behind the trait Recognition; without it nothing of Tesseract is needed.
        .target(
            name: "SubtitleRecognition",
            dependencies: [
                "CueModel", "MediaCore",
                .target(name: "CTesseract", condition: .when(traits: ["Recognition"])),
            ],
            swiftSettings: settings
        ),

        // Parsers and writers: pure Swift.
        .target(
            name: "Containers",
            dependencies: ["MediaCore", "Deflate"],
            swiftSettings: settings
        ),
        .target(
            name: "SubtitleCodecs",
            dependencies: ["CueModel", "Deflate", "MediaCore", "XMLEvents"],
            swiftSettings: settings
        ),
        .target(
            name: "SubtitleFormats",
            dependencies: ["SubtitleCodecs", "CueModel", "MediaCore", "XMLEvents"],
            swiftSettings: settings
        ),

        // Behind the trait Rendering; without it nothing of libass is needed.
        .target(
            name: "SubtitleRendering",
            dependencies: [
                "CueModel", "MediaCore", "SubtitleCodecs", "SubtitleFormats", "SystemIO",
                .target(name: "CAss", condition: .when(traits: ["Rendering"])),
            ],
            swiftSettings: settings
        ),

        // HLS and DASH: playlists, manifests, segmented subtitles. The network is behind `Fetcher`.
        .target(
            name: "Streaming",
            dependencies: [
                "Containers", "CueModel", "MediaCore", "SubtitleCodecs", "SubtitleFormats",
                "SystemIO", "XMLEvents",
            ],
            swiftSettings: settings
        ),

        // Presentations with subtitles added, served; without the trait Server it answers requests and
        // has no server of its own.
        .target(
            name: "StreamingServer",
            dependencies: [
                "MediaCore", "Streaming", "SystemIO",
                .product(
                    name: "HummingbirdCore", package: "hummingbird",
                    condition: .when(traits: ["Server"])),
                .product(
                    name: "HTTPTypes", package: "swift-http-types",
                    condition: .when(traits: ["Server"])),
                .product(
                    name: "Logging", package: "swift-log", condition: .when(traits: ["Server"])),
                .product(
                    name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Server"])),
                .product(
                    name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Server"])),
                .product(
                    name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Server"])),
            ],
            swiftSettings: settings
        ),

        // The engine and its front door.
        .target(
            name: "Undertext",
            dependencies: [
                "MediaCore", "CueModel", "SystemIO", "Curl", "PNG", "Charsets",
                "Containers", "Streaming", "SubtitleCodecs", "SubtitleFormats",
                "SubtitleRecognition", "SubtitleSelection", "Demux",
            ],
            swiftSettings: settings
        ),
        // Which subtitles belong to a video, and which of them a viewer wants.
        .target(
            name: "SubtitleSelection", dependencies: ["MediaCore"], swiftSettings: settings),
        // What a player needs beside the engine.
        .target(
            name: "SubtitlePlayback",
            dependencies: ["Undertext", "Online", "SubtitleSelection", "SystemIO"],
            swiftSettings: settings),
        // Subtitles on the web; without the trait Online it can be linked, and every request fails.
        .target(
            name: "Online",
            dependencies: [
                "MediaCore", "Deflate", "SystemIO",
                .target(name: "Curl", condition: .when(traits: ["Online"])),
            ],
            swiftSettings: settings
        ),
        .systemLibrary(name: "CUndertext", path: "Sources/CUndertext"),
        .target(
            name: "UndertextC",
            dependencies: [
                "CUndertext", "SubtitlePlayback", "SubtitleRendering", "SubtitleFormats",
                "SystemIO", "Undertext",
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "UndertextCLI",
            dependencies: [
                "CArguments", "Undertext", "Online", "SystemIO", "SubtitleRendering", "PNG",
                "Streaming",
                "StreamingServer",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),

        // Tests mirror Sources.
        .target(
            name: "TestSupport",
            dependencies: ["CueModel", "MediaCore", "XMLEvents"],
            path: "Tests/TestSupport",
            exclude: [
                "browser-server.py", "hostile-server.py", "player.html", "provider-server.py",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "MediaCoreTests",
            dependencies: ["MediaCore", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CueModelTests",
            dependencies: ["CueModel", "MediaCore", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SystemIOTests",
            dependencies: ["SystemIO", "MediaCore", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CurlTests",
            dependencies: ["Curl", "SystemIO", "MediaCore", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "DeflateTests",
            dependencies: ["Deflate", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PNGTests",
            dependencies: ["PNG", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CharsetsTests",
            dependencies: ["Charsets", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "XMLEventsTests",
            dependencies: ["XMLEvents", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ContainersTests",
            dependencies: [
                "Containers", "Deflate", "Demux", "MediaCore", "SystemIO", "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SubtitleCodecsTests",
            dependencies: ["SubtitleCodecs", "CueModel", "MediaCore", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SubtitleFormatsTests",
            dependencies: [
                "SubtitleFormats", "SubtitleCodecs", "CueModel", "MediaCore", "TestSupport",
            ],
            exclude: ["BDN/Goldens"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StreamingTests",
            dependencies: [
                "Streaming", "Containers", "SubtitleCodecs", "SubtitleFormats", "CueModel", "Curl",
                "MediaCore", "SystemIO", "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StreamingServerTests",
            dependencies: [
                "StreamingServer", "Streaming", "CueModel", "Curl", "MediaCore", "SystemIO",
                "TestSupport",
                .product(
                    name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Server"])),
                .product(
                    name: "NIOEmbedded", package: "swift-nio", condition: .when(traits: ["Server"])),
                .product(
                    name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Server"])),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SubtitleRecognitionTests",
            dependencies: ["SubtitleRecognition", "CueModel", "MediaCore", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SubtitleRenderingTests",
            dependencies: [
                "SubtitleRendering", "SubtitleFormats", "SubtitleCodecs", "CueModel", "MediaCore",
                "PNG", "TestSupport",
                .target(name: "CAss", condition: .when(traits: ["Rendering"])),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "DemuxTests",
            dependencies: ["Demux", "MediaCore", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "UndertextTests",
            dependencies: [
                "Undertext", "CueModel", "MediaCore", "PNG", "SystemIO", "Containers", "Deflate",
                "Demux", "SubtitleCodecs", "SubtitleFormats", "SubtitleRecognition", "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SubtitleSelectionTests",
            dependencies: ["SubtitleSelection", "MediaCore", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SubtitlePlaybackTests",
            dependencies: [
                "SubtitlePlayback", "Undertext", "CueModel", "MediaCore", "Online", "SystemIO",
                "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "OnlineTests",
            dependencies: ["Online", "Curl", "Deflate", "MediaCore", "SystemIO", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "UndertextCTests",
            dependencies: ["UndertextC", "TestSupport"],
            swiftSettings: settings
        ),
        // What libFuzzer calls in Tests/Fuzz, a package of its own; here for the replay of its seeds.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "Charsets", "Containers", "CueModel", "Deflate", "MediaCore", "Online", "PNG",
                "Streaming", "SubtitleCodecs", "SubtitleFormats", "SubtitleRendering",
                "SubtitleSelection",
                "SystemIO",
            ],
            path: "Tests/Fuzz/Targets"
        ),
        .testTarget(
            name: "FuzzTargetsTests",
            dependencies: ["FuzzTargets", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["Undertext", "UndertextCLI", "MediaCore", "CueModel", "TestSupport"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)

// The documentation's plugin is for those who make the documentation: `make nightly`.
if Context.environment["UNDERTEXT_DOCS"] == "1" {
    package.dependencies.append(
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"))
}

// Only some tests and what they need are built with UNDERTEXT_TESTS_OF: their targets with commas between, or
// `parsers` for those that read what strangers wrote, which a run under AddressSanitizer covers.
if let wanted = Context.environment["UNDERTEXT_TESTS_OF"] {
    let parsers: Set = [
        "ContainersTests", "SubtitleCodecsTests", "SubtitleFormatsTests", "DeflateTests",
        "PNGTests", "XMLEventsTests", "CharsetsTests", "SubtitleSelectionTests", "FuzzTargetsTests",
    ]
    var needed = wanted == "parsers" ? parsers : Set(wanted.split(separator: ",").map(String.init))
    var needsOthers = false
    var before = 0
    while needed.count > before {
        before = needed.count
        for target in package.targets where needed.contains(target.name) {
            for dependency in target.dependencies {
                switch dependency {
                case .byNameItem(let name, _), .targetItem(let name, _): needed.insert(name)
                default: needsOthers = true
                }
            }
        }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products = []
    if !needsOthers { package.dependencies = [] }
}
