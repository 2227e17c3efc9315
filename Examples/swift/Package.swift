// swift-tools-version: 6.3

import PackageDescription

/// A program of a page, with the code that the page prints.
func program(_ name: String, _ products: String...) -> Target {
    .executableTarget(
        name: name, dependencies: products.map { .product(name: $0, package: "undertext") })
}

let package = Package(
    name: "undertext-examples",
    dependencies: [
        .package(name: "undertext", path: "../..", traits: ["Recognition", "Rendering"])
    ],
    targets: [
        program("Readme", "Undertext"),
        program("Players", "Undertext", "UndertextPlayback"),
        program("GettingStarted", "Undertext"),
        program("ShowSubtitlesInAPlayer", "UndertextPlayback", "UndertextRendering"),
        program("ExtractAndConvert", "Undertext"),
        program("RecognizeText", "Undertext"),
        program("Streaming", "Undertext", "UndertextStreaming"),
    ],
    swiftLanguageModes: [.v6]
)
