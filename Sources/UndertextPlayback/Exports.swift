// One import gives the model and what its tracks are chosen by.
@_exported public import UndertextCore
