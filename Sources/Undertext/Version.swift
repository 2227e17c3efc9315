internal import UndertextCore

/// The version of this library and of the command.
package let undertextVersion = "0.9.0"
