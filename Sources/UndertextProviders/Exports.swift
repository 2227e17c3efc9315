// One import gives the providers and the values that they speak in.
@_exported public import UndertextCore
