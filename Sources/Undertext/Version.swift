/// The version of this library and of the command.
public let undertextVersion = "0.9.0"
