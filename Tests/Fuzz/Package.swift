// swift-tools-version: 6.2

import PackageDescription

// SwiftPM lets another package use only products, and the parsers are internal targets: the
// product UndertextInternals of the root package exists for this package alone.
let package = Package(
    name: "undertext-fuzz",
    dependencies: [.package(name: "undertext", path: "../..")],
    targets: [
        // One program for all targets: linking one for each took longer than all the rest.
        .executableTarget(
            name: "UndertextFuzz",
            dependencies: [
                .product(name: "UndertextInternals", package: "undertext"),
                .product(name: "SubtitlePlayback", package: "undertext"),
            ],
            // libFuzzer brings its own main.
            swiftSettings: [.unsafeFlags(["-parse-as-library"])]
        )
    ],
    swiftLanguageModes: [.v6]
)
