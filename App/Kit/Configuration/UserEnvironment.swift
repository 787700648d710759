#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

/// The variables of the environment, and the folders of a user that they name.
public struct UserEnvironment: Sendable {
    public let variables: [String: String]

    public init(_ variables: [String: String]) {
        self.variables = variables
    }

    /// The environment of this process, or the one that a test gives to a task and its children.
    @TaskLocal public static var current = UserEnvironment(ProcessInfo.processInfo.environment)

    /// The home folder; the current folder where there is none.
    public var home: String { folder("HOME") ?? "." }

    /// Where a program keeps the user's data: `$XDG_DATA_HOME`, or `~/.local/share`.
    public var data: String { folder("XDG_DATA_HOME") ?? home + "/.local/share" }

    /// Where a program looks for the user's settings: `$XDG_CONFIG_HOME`, or `~/.config`.
    public var settings: String { folder("XDG_CONFIG_HOME") ?? home + "/.config" }

    /// A path with `~/` at its beginning replaced.
    public func expanding(_ path: String) -> String {
        path.hasPrefix("~/") ? home + path.dropFirst() : path
    }

    private func folder(_ name: String) -> String? {
        variables[name].flatMap { $0.isEmpty ? nil : $0 }
    }
}
