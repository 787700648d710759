internal import LarderDomain

#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif
#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#else
private import Darwin
#endif

extension StoreOptions {
    /// Appends what an operator does to the file of the setting `operator-log`, if that is set: a line as in the log of a
    /// service.
    ///
    /// Call it before the act, so that there is no act without an entry.
    ///
    /// - Parameters:
    ///   - act: The act: `promote`.
    ///   - details: What it applies to. The line also has the store, the system's user and the acting user.
    /// - Throws: `CommandFailure` if the line cannot be written.
    public func record(
        act: String, _ details: [String: String] = [:], in environment: UserEnvironment = .current
    ) async throws(CommandFailure) {
        let sources = try await sources(in: environment)
        let setting = try sources.value(of: .operatorLog)
        guard let path = setting.value.map(environment.expanding) else { return }
        // Under sudo, every user has the same name.
        let user = environment.variables["SUDO_USER"] ?? ProcessInfo.processInfo.userName
        var members = ["act": act, "by": user, "as": try sources.value(of: .caller).value]
        members["store"] = try StoreSettings.shownStore(in: sources).value
        members.merge(details) { $1 }
        var line = LogLine()
        line.add("timestamp", .text(Timestamp.now().fixedWidthDescription))
        for (name, text) in [("level", "notice"), ("logger", "operators"), ("message", "operator act")] {
            line.add(name, .text(text))
        }
        for (name, text) in members.sorted(by: { $0.key < $1.key }) {
            if let text { line.add(name, .text(text)) }
        }
        line.end()
        guard Self.append(line.bytes, to: path) else {
            throw setting.refusal("cannot write the operator log \(path): \(unsafe String(cString: strerror(errno)))")
        }
    }

    /// Appends with one system call, so that lines of concurrent commands do not mix.
    private static func append(_ bytes: [UInt8], to path: String) -> Bool {
        let file = unsafe open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        defer { close(file) }
        return unsafe bytes.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) } == bytes.count
    }
}
