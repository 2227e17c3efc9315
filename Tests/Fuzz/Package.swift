// swift-tools-version: 6.2

import PackageDescription

/// One line for each fuzz target.
///
/// `Sources/<name>/Fuzz.swift` holds the entry, `Corpus/<name>/` the seeds.
let fuzzTargets = [
    "ASSFileFuzz",
    "ASSFuzz",
    "BDNFuzz",
    "CharsetFuzz",
    "DVBFuzz",
    "DeflateFuzz",
    "MatroskaFuzz",
    "MatroskaWalkFuzz",
    "MP4HeaderFuzz",
    "MP4SamplesFuzz",
    "MovTextFuzz",
    "NativeWritersFuzz",
    "PGSFuzz",
    "PNGFuzz",
    "PathNameFuzz",
    "PictureWritersFuzz",
    "SAMIFuzz",
    "SPUFuzz",
    "SUPFuzz",
    "SubRipFileFuzz",
    "SubRipFuzz",
    "TTMLFuzz",
    "TransportStreamFuzz",
    "USFFuzz",
    "VobSubFileFuzz",
    "WVTTFuzz",
    "WebVTTFileFuzz",
    "WebVTTFuzz",
    "XSUBFuzz",
]

// SwiftPM lets another package use only products, and the parsers are internal targets: the
// product UndertextInternals of the root package exists for this package alone.
let internals: Target.Dependency = .product(name: "UndertextInternals", package: "undertext")

let package = Package(
    name: "undertext-fuzz",
    dependencies: [.package(name: "undertext", path: "../..")],
    targets: [
        // What several of them share.
        .target(name: "FuzzSupport", dependencies: [internals], path: "Support")
    ]
        + fuzzTargets.map { name in
            .executableTarget(
                name: name,
                dependencies: [internals, "FuzzSupport"],
                // libFuzzer brings its own main.
                swiftSettings: [.unsafeFlags(["-parse-as-library"])]
            )
        },
    swiftLanguageModes: [.v6]
)
