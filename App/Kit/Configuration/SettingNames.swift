internal import Synchronization

#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

/// The names of a program's settings: unknown ones in the settings file and in the environment are refused or reported,
/// because a misspelt name would otherwise leave a setting at its default.
struct SettingNames {
    /// The maximum edit distance at which a variable is a misspelt setting and not one of another program.
    private static let misspelling = 2

    let settings: [Setting]
    let identity: ServiceIdentity

    /// Refuses members of a settings file that are no settings, and a file with a secret that others can read.
    func check(file path: String) throws(CommandFailure) {
        guard let data = FileManager.default.contents(atPath: path) else { return }
        let members: [JSON.Member]
        do throws(JSONError) {
            guard case .object(let found) = try JSON(parsing: Array(data)) else { return }
            members = found
        } catch {
            throw CommandFailure(.configuration, "the settings file \(path) is not a JSON object: \(error)")
        }
        let known = settings.filter { $0 != .config }
        var failures: [CommandFailure] = []
        for member in members where !known.contains(where: { $0.name == member.name }) {
            failures.append(unknown("file \(path): unknown setting '\(member.name)'", member.name, known.map(\.name)))
        }
        try CommandFailure.check(failures)
        let isSecret = members.contains { member in
            guard case .string(let text) = member.value else { return false }
            return known.contains { $0.name == member.name && $0.hides(text) }
        }
        if isSecret { try PrivateFile.check(path, "settings file, which contains a secret,") }
    }

    /// Refuses variables with the service's prefix that are misspelt settings.
    ///
    /// - Returns: The other variables with the prefix that are no settings. What platforms inject is omitted.
    func unknown(in variables: [String: String]) throws(CommandFailure) -> [String] {
        let prefix = identity.variablePrefix
        let known = settings.map(\.variable)
        var (failures, others) = ([CommandFailure](), [String]())
        // An empty variable counts as unset.
        for (name, value) in variables.sorted(by: { $0.key < $1.key }) where name.hasPrefix(prefix) && !value.isEmpty {
            let rest = String(name.dropFirst(prefix.count))
            if known.contains(name) || identity.otherVariables.contains(rest) { continue }
            if Self.isInjected(rest, value) { continue }
            if name.nearest(of: known, within: Self.misspelling) != nil {
                failures.append(unknown("environment variable \(name): unknown setting", name, known))
            } else {
                others.append(name)
            }
        }
        try CommandFailure.check(failures)
        return others
    }

    private func unknown(_ message: String, _ name: String, _ known: [String]) -> CommandFailure {
        let question = name.nearest(of: known).map { "; did you mean \($0)?" } ?? ""
        return CommandFailure(
            .configuration, message + question, advice: "See '\(identity.name) config --reference' for all settings.")
    }

    /// Whether Kubernetes or a container's link sets a variable, such as `LOANS_SERVICE_HOST` or `LOANS_PORT_80_TCP_ADDR`.
    /// A port alone is recognized by its value, `tcp://…`, because a service has a setting that ends with `PORT`.
    private static func isInjected(_ name: String, _ value: String) -> Bool {
        let words = name.split(separator: "_", omittingEmptySubsequences: false)
        func ends(_ index: Int, _ word: String) -> Bool { words.dropFirst(index).first.map { $0 == word } ?? false }
        for index in words.indices {
            if ends(index, "SERVICE"), ends(index + 1, "HOST") || ends(index + 1, "PORT") { return true }
            guard ends(index, "PORT") else { continue }
            if index + 1 < words.count, UInt16(words[index + 1]) != nil { return true }
            if index + 1 == words.count, value.contains("://") { return true }
        }
        return false
    }
}

extension Setting {
    /// Whether a value is secret; a store's may contain a password.
    fileprivate func hides(_ value: String) -> Bool {
        guard self == .store else { return isSecret }
        let location = try? StoreLocation(value, environment: UserEnvironment([:]))
        return (location?.members ?? []).contains { member in
            if case .postgres(let database) = member { database.hasPassword } else { false }
        }
    }
}

/// The program whose command runs: it knows the names of its settings. A task-local value, like
/// ``ServiceIdentity/current``.
package final class RunningProgram: Sendable {
    @TaskLocal package static var current: RunningProgram?

    let program: any ServiceProgram.Type
    private let hasReported = Mutex(false)

    package init(_ program: any ServiceProgram.Type) {
        self.program = program
    }

    /// Whether unknown variables were not reported before.
    var isFirstReport: Bool {
        hasReported.withLock { hasReported in
            defer { hasReported = true }
            return !hasReported
        }
    }
}
