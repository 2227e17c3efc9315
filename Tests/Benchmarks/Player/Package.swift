// swift-tools-version: 6.2

import PackageDescription

/// What a player's questions cost; player.py runs it.
///
/// Only what `SubtitleRendering` needs is built.
let package = Package(
    name: "player-benchmark",
    dependencies: [.package(name: "undertext", path: "../../..", traits: ["Rendering"])],
    targets: [
        .executableTarget(
            name: "PlayerBenchmark",
            dependencies: [.product(name: "SubtitleRendering", package: "undertext")])
    ],
    swiftLanguageModes: [.v6]
)
