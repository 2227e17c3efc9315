// One import gives the engine and the values it speaks in.
@_exported public import UndertextCore

@_exported public import enum UndertextFormats.ColorMatrix
@_exported public import struct UndertextFormats.SubtitleFormat
@_exported public import struct UndertextRecognition.RecognitionLanguage
