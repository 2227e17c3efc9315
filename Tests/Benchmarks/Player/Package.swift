// swift-tools-version: 6.3

import PackageDescription

/// Measures the operations of a player, and parsing; player.py and documents.py run it.
///
/// Only the dependencies of `UndertextRendering` are built.
let package = Package(
    name: "player-benchmark",
    dependencies: [.package(name: "undertext", path: "../../..", traits: ["Rendering"])],
    targets: [
        .executableTarget(
            name: "PlayerBenchmark",
            dependencies: [
                .product(name: "Undertext", package: "undertext"),
                .product(name: "UndertextPlayback", package: "undertext"),
                .product(name: "UndertextRendering", package: "undertext"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
