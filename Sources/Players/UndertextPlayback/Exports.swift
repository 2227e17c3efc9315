// One import gives the model, what its tracks are chosen by, and the names of files beside a video.
@_exported public import UndertextCore

@_exported public import struct UndertextFormats.Sidecar
@_exported public import enum UndertextFormats.SidecarFolder
@_exported public import enum UndertextFormats.SidecarMatch
@_exported public import struct UndertextFormats.SidecarName
@_exported public import func UndertextFormats.sidecars
