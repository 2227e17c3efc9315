// swift-tools-version: 6.3

import PackageDescription

/// What a player's questions cost; player.py runs it.
///
/// Only what `UndertextRendering` needs is built.
let package = Package(
    name: "player-benchmark",
    dependencies: [.package(name: "undertext", path: "../../..", traits: ["Rendering"])],
    targets: [
        .executableTarget(
            name: "PlayerBenchmark",
            dependencies: [.product(name: "UndertextRendering", package: "undertext")])
    ],
    swiftLanguageModes: [.v6]
)
