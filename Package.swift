// swift-tools-version: 6.3

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

/// A wrapper of one C library.
func leaf(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/Libraries/\(name)",
        swiftSettings: settings)
}

/// The tests of a target, which use it, `others` and TestSupport.
func tests(
    _ target: String, _ others: [Target.Dependency] = [], exclude: [String] = []
) -> Target {
    .testTarget(
        name: target + "Tests",
        dependencies: [.init(stringLiteral: target), "TestSupport"] + others,
        exclude: exclude, swiftSettings: settings)
}

/// Each target may import only what stands here: the arrows of ARCHITECTURE.md.
let package = Package(
    name: "undertext",
    products: [
        .library(name: "Undertext", targets: ["Undertext"]),
        .library(name: "UndertextPlayback", targets: ["UndertextPlayback"]),
        .library(name: "UndertextPlayerEvents", targets: ["UndertextPlayerEvents"]),
        .library(name: "UndertextProviders", targets: ["UndertextProviders"]),
        .library(name: "UndertextRendering", targets: ["UndertextRendering"]),
        .library(name: "UndertextStreaming", targets: ["UndertextStreaming"]),
        .library(name: "UndertextServer", targets: ["UndertextServer"]),
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
            name: "Providers",
            description: "Search and download of subtitles on the web by libcurl."),
        .trait(
            name: "Rendering",
            description: "Subtitles drawn for players by libass, bound at its first use."),
        .trait(
            name: "S3",
            description: "Object storage as input and output, with requests signed by swift-crypto."
        ),
        .trait(
            name: "Server",
            description: "Subtitles added to streams on the way, by an HTTP server."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        // Behind the trait S3.
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        // Behind the trait Server; the rest are what its interface speaks in.
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    ],
    targets: [
        // Values and protocols: no I/O, no C.
        .target(name: "UndertextCore", swiftSettings: settings),

        // Leaves: each the only importer of one C library.
        .systemLibrary(
            name: "CFFmpeg",
            path: "CFFmpeg",
            providers: [
                .apt(["libavformat-dev", "libavcodec-dev", "libavutil-dev", "libswscale-dev"])
            ]
        ),
        .systemLibrary(
            name: "CUndertextDeflate", path: "Sources/Libraries/CUndertextDeflate",
            pkgConfig: "libdeflate", providers: [.apt(["libdeflate-dev"])]),
        .systemLibrary(
            name: "CUndertextPNG", path: "Sources/Libraries/CUndertextPNG", pkgConfig: "libpng",
            providers: [.apt(["libpng-dev"])]),
        .systemLibrary(
            name: "CUndertextExpat", path: "Sources/Libraries/CUndertextExpat", pkgConfig: "expat",
            providers: [.apt(["libexpat1-dev"])]),
        .systemLibrary(
            name: "CUndertextCurl", path: "Sources/Libraries/CUndertextCurl",
            providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(
            name: "CUndertextTesseract", path: "Sources/Libraries/CUndertextTesseract",
            providers: [.apt(["libtesseract-dev"])]),
        .systemLibrary(
            name: "CUndertextAss", path: "Sources/Libraries/CUndertextAss",
            providers: [.apt(["libass-dev"])]),
        .systemLibrary(
            name: "CUndertextUchardet", path: "Sources/Libraries/CUndertextUchardet",
            providers: [.apt(["libuchardet-dev"])]),
        .systemLibrary(
            name: "CUndertextSQLite", path: "Sources/Libraries/CUndertextSQLite",
            providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CUndertextLinux", path: "Sources/Libraries/CUndertextLinux"),
        // For the command alone: a library takes nothing from the process that it is in.
        .target(name: "CUndertextArguments", path: "Sources/Libraries/CUndertextArguments"),
        .target(name: "CUndertextBrowser", path: "Sources/Libraries/CUndertextBrowser"),
        leaf("UndertextDeflate", ["CUndertextDeflate"]),
        leaf("UndertextPNG", ["CUndertextPNG", "UndertextDeflate"]),
        leaf("UndertextCharsets", ["CUndertextUchardet", "UndertextCore"]),
        leaf("UndertextXML", ["CUndertextExpat"]),
        leaf("UndertextSQLite", ["CUndertextSQLite"]),

        // Files, pipes, outputs, HTTP, threads.
        .target(
            name: "UndertextIO",
            dependencies: [
                "CUndertextCurl", "CUndertextLinux", "UndertextCore", "UndertextXML",
                .product(
                    name: "Crypto", package: "swift-crypto", condition: .when(traits: ["S3"])),
            ],
            swiftSettings: settings),

        // libavformat, libavcodec and libswscale.
        .target(
            name: "UndertextFFmpeg",
            dependencies: ["CFFmpeg", "UndertextCore"],
            swiftSettings: demuxSettings,
            linkerSettings: demuxLinkage
        ),

        // Containers and formats: pure Swift, a folder for each.
        .target(
            name: "UndertextContainers", dependencies: ["UndertextCore", "UndertextDeflate"],
            swiftSettings: settings),
        .target(
            name: "UndertextFormats",
            dependencies: ["UndertextCore", "UndertextDeflate", "UndertextPNG", "UndertextXML"],
            swiftSettings: settings),

        // Behind the trait Recognition; without it nothing of Tesseract is needed.
        .target(
            name: "UndertextRecognition",
            dependencies: [
                "UndertextCore",
                .target(name: "CUndertextTesseract", condition: .when(traits: ["Recognition"])),
            ],
            swiftSettings: settings),

        // Behind the trait Rendering; without it nothing of libass is needed.
        .target(
            name: "UndertextRendering",
            dependencies: [
                "UndertextCore", "UndertextFormats", "UndertextIO",
                .target(name: "CUndertextAss", condition: .when(traits: ["Rendering"])),
            ],
            swiftSettings: settings),

        // HLS and DASH: playlists, manifests, segmented subtitles. The network is behind `Fetcher`.
        .target(
            name: "UndertextStreaming",
            dependencies: [
                "UndertextContainers", "UndertextCore", "UndertextFormats", "UndertextIO",
                "UndertextXML",
            ],
            swiftSettings: settings),

        // Presentations with subtitles added, served, and the inspector; without the trait Server it answers
        // requests and has no server of its own.
        .target(
            name: "UndertextServer",
            dependencies: [
                "Undertext", "UndertextCore", "UndertextFormats", "UndertextIO", "UndertextPNG",
                "UndertextRendering", "UndertextStreaming",
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
            // The page of the inspector is part of the binary.
            resources: [.embedInCode("Inspector/Page")],
            swiftSettings: settings),

        // The engine and its front doors.
        .target(
            name: "Undertext",
            dependencies: [
                "UndertextAlignment", "UndertextCharsets", "UndertextContainers", "UndertextCore",
                "UndertextFFmpeg", "UndertextFormats", "UndertextIO", "UndertextPNG",
                "UndertextRecognition", "UndertextStreaming",
            ],
            swiftSettings: settings),
        // What a player needs beside the engine.
        .target(
            name: "UndertextPlayback",
            dependencies: [
                "Undertext", "UndertextAlignment", "UndertextCore", "UndertextFormats",
                "UndertextIO",
                "UndertextProviders", "UndertextRendering",
            ],
            path: "Sources/Players/UndertextPlayback",
            swiftSettings: settings),
        // The events of a player and of its model.
        .target(
            name: "UndertextPlayerEvents",
            dependencies: ["Undertext", "UndertextCore", "UndertextIO", "UndertextPlayback"],
            path: "Sources/Players/UndertextPlayerEvents",
            swiftSettings: settings),
        // Whole libraries of media: folders walked, a journal of what was done.
        .target(
            name: "UndertextLibrary",
            dependencies: [
                "Undertext", "UndertextCore", "UndertextFormats", "UndertextIO", "UndertextSQLite",
            ],
            path: "Sources/Tools/UndertextLibrary",
            swiftSettings: settings),
        // The times of a subtitle that fit a reference: lists of times in, a change of times out.
        .target(
            name: "UndertextAlignment", dependencies: ["UndertextCore"],
            path: "Sources/Tools/UndertextAlignment", swiftSettings: settings),
        // Delivery checks of subtitles: cues and a profile in, findings out.
        .target(
            name: "UndertextChecks", dependencies: ["UndertextCore", "UndertextFormats"],
            path: "Sources/Tools/UndertextChecks", swiftSettings: settings),
        // Subtitles on the web; without the trait Providers it can be linked, and every request fails.
        .target(
            name: "UndertextProviders",
            dependencies: [
                "UndertextCore", "UndertextDeflate", "UndertextFormats", "UndertextIO",
            ],
            swiftSettings: settings),
        .systemLibrary(name: "CUndertext", path: "Sources/Libraries/CUndertext"),
        .target(
            name: "UndertextC",
            dependencies: [
                "CUndertext", "Undertext", "UndertextCore", "UndertextFormats", "UndertextIO",
                "UndertextPlayback", "UndertextRendering",
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "UndertextCLI",
            dependencies: [
                "CUndertextArguments", "CUndertextBrowser", "Undertext", "UndertextAlignment",
                "UndertextChecks",
                "UndertextCore",
                "UndertextFormats", "UndertextIO", "UndertextLibrary",
                "UndertextPNG", "UndertextProviders", "UndertextRecognition", "UndertextRendering",
                "UndertextServer", "UndertextStreaming",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),

        // Tests mirror Sources.
        .target(
            name: "TestSupport",
            dependencies: ["UndertextCore", "UndertextXML"],
            path: "Tests/TestSupport",
            exclude: [
                "browser-server.py", "headless.py", "hostile-server.py", "inspector.py",
                "player.html", "provider-server.py", "s3-server.py",
            ],
            swiftSettings: settings),
        tests("UndertextCore"),
        tests(
            "UndertextIO", ["UndertextCore"],
            exclude: ["S3/signatures.py", "S3/signatures.jsonl"]),
        tests("UndertextDeflate"),
        tests("UndertextPNG"),
        tests("UndertextCharsets", ["UndertextCore"]),
        tests("UndertextXML"),
        tests("UndertextSQLite"),
        tests("UndertextAlignment", ["UndertextCore"]),
        tests("UndertextChecks", ["UndertextCore", "UndertextFormats"]),
        tests(
            "UndertextLibrary",
            ["Undertext", "UndertextCore", "UndertextIO", "UndertextSQLite"]),
        tests(
            "UndertextContainers",
            ["UndertextCore", "UndertextDeflate", "UndertextFFmpeg", "UndertextIO"]),
        tests("UndertextFormats", ["UndertextCore"], exclude: ["BDN/Goldens"]),
        tests(
            "UndertextStreaming",
            ["UndertextContainers", "UndertextCore", "UndertextFormats", "UndertextIO"]),
        tests(
            "UndertextServer",
            [
                "Undertext", "UndertextCore", "UndertextIO", "UndertextStreaming",
                .product(
                    name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Server"])),
                .product(
                    name: "NIOEmbedded", package: "swift-nio", condition: .when(traits: ["Server"])),
                .product(
                    name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Server"])),
            ]),
        tests("UndertextRecognition", ["UndertextCore"]),
        tests(
            "UndertextRendering",
            [
                "UndertextCore", "UndertextFormats", "UndertextPNG",
                .target(name: "CUndertextAss", condition: .when(traits: ["Rendering"])),
            ]),
        tests("UndertextFFmpeg", ["UndertextCore"]),
        tests(
            "Undertext",
            [
                "UndertextAlignment", "UndertextContainers", "UndertextCore", "UndertextDeflate",
                "UndertextFFmpeg",
                "UndertextFormats", "UndertextIO", "UndertextPNG", "UndertextRecognition",
            ]),
        tests("UndertextProviders", ["UndertextCore", "UndertextDeflate", "UndertextIO"]),
        tests(
            "UndertextPlayback",
            [
                "Undertext", "UndertextCore", "UndertextIO", "UndertextProviders",
                "UndertextRendering",
            ]),
        tests(
            "UndertextPlayerEvents",
            ["Undertext", "UndertextCore", "UndertextIO", "UndertextPlayback"]),
        tests("UndertextC", ["UndertextCore"]),
        // What libFuzzer calls in Tests/Fuzz, a package of its own; here for the replay of its seeds.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "UndertextAlignment", "UndertextCharsets", "UndertextContainers", "UndertextCore",
                "UndertextDeflate", "UndertextFFmpeg", "UndertextFormats", "UndertextIO",
                "UndertextPNG", "UndertextProviders", "UndertextRendering", "UndertextStreaming",
            ],
            path: "Tests/Fuzz/Targets"),
        tests("FuzzTargets"),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "TestSupport", "Undertext", "UndertextCLI", "UndertextCore", "UndertextPlayback",
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)

// UNDERTEXT_TESTS lists the test targets to build, separated by spaces. Scripts/test.sh builds only the parsers' tests for
// AddressSanitizer.
if let names = Context.environment["UNDERTEXT_TESTS"]?.split(separator: " ").map(String.init) {
    package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}
