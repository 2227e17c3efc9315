// One import gives the renderer and the values it speaks in.
@_exported public import CueModel
@_exported public import MediaCore

@_exported public import struct SubtitleCodecs.PixelRectangle
