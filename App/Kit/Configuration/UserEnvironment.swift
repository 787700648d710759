#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

/// The environment variables, and the user's folders derived from them.
public struct UserEnvironment: Sendable {
    /// The values of the variables by their names.
    public let variables: [String: String]

    /// Creates an environment from variables.
    public init(_ variables: [String: String]) {
        self.variables = variables
    }

    /// The environment of this process, or the one that a test sets for a task and its children.
    @TaskLocal public static var current = UserEnvironment(ProcessInfo.processInfo.environment)

    /// The home folder; the current folder if `HOME` is not set.
    public var home: String { folder("HOME") ?? "." }

    /// The folder for the user's data: `$XDG_DATA_HOME`, or `~/.local/share`.
    public var data: String { folder("XDG_DATA_HOME") ?? home + "/.local/share" }

    /// The folder for the user's settings: `$XDG_CONFIG_HOME`, or `~/.config`.
    public var settings: String { folder("XDG_CONFIG_HOME") ?? home + "/.config" }

    /// A path with a leading `~/` expanded.
    public func expanding(_ path: String) -> String {
        path.hasPrefix("~/") ? home + path.dropFirst() : path
    }

    private func folder(_ name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
