// Reexports the modules that users of the engine need. The player vocabulary, such as `ContentInfo` and
// `SubtitlePreference`, is part of UndertextPlayback.
@_exported public import struct UndertextCore.BitmapDocument
@_exported public import protocol UndertextCore.ByteSource
@_exported public import class UndertextCore.Cancellation
@_exported public import struct UndertextCore.CodecID
@_exported public import struct UndertextCore.ConversionLosses
@_exported public import struct UndertextCore.Cue
@_exported public import enum UndertextCore.CueContent
@_exported public import struct UndertextCore.CueImages
@_exported public import struct UndertextCore.CueLayout
@_exported public import struct UndertextCore.Diagnostic
@_exported public import struct UndertextCore.IndexedBitmap
@_exported public import struct UndertextCore.LanguageTag
@_exported public import struct UndertextCore.PixelSize
@_exported public import struct UndertextCore.PlacedBitmap
@_exported public import struct UndertextCore.RGBA
@_exported public import struct UndertextCore.StyledText
@_exported public import enum UndertextCore.SubtitleDocument
@_exported public import struct UndertextCore.SubtitleHeader
@_exported public import struct UndertextCore.TextDocument
@_exported public import struct UndertextCore.TextRun
@_exported public import struct UndertextCore.TextStyle
@_exported public import struct UndertextCore.Timestamp
@_exported public import struct UndertextCore.UndertextError
