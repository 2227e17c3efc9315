// One import gives the model, what its tracks are chosen by, and the names of files beside a video.
@_exported public import UndertextCore

@_exported public import struct Undertext.Sidecar
@_exported public import enum Undertext.SidecarFolder
@_exported public import enum Undertext.SidecarMatch
@_exported public import struct Undertext.SidecarName
@_exported public import func Undertext.sidecars
