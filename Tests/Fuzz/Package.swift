// swift-tools-version: 6.3

import PackageDescription

// libFuzzer brings its own main and wants its own flags; what it calls is a target of the root package,
// since the tests replay the seeds, too.
let package = Package(
    name: "undertext-fuzz",
    dependencies: [
        // Rendering is behind a trait.
        .package(name: "undertext", path: "../..", traits: ["Rendering"])
    ],
    targets: [
        // One program for all targets: linking one for each took longer than all the rest.
        .executableTarget(
            name: "UndertextFuzz",
            dependencies: [.product(name: "FuzzTargets", package: "undertext")],
            swiftSettings: [.unsafeFlags(["-parse-as-library"])]
        )
    ],
    swiftLanguageModes: [.v6]
)
