// One import gives the engine and the values it speaks in.
@_exported public import UndertextCore

@_exported public import enum UndertextFormats.ColorMatrix
@_exported public import struct UndertextFormats.Sidecar
@_exported public import enum UndertextFormats.SidecarFolder
@_exported public import enum UndertextFormats.SidecarMatch
@_exported public import struct UndertextFormats.SidecarName
@_exported public import struct UndertextFormats.SubtitleFormat
@_exported public import struct UndertextFormats.SubtitleStem
@_exported public import func UndertextFormats.sidecars
@_exported public import struct UndertextRecognition.RecognitionLanguage
