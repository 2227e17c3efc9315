// One import gives the engine and the values it speaks in.
@_exported public import CueModel
@_exported public import MediaCore

@_exported public import enum SubtitleCodecs.ColorMatrix
@_exported public import struct SubtitleRecognition.RecognitionLanguage
