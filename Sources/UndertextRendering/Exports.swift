// One import gives the renderer and the values it speaks in.
@_exported public import UndertextCore

@_exported public import struct UndertextFormats.PixelRectangle
