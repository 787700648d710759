internal import Logging
private import Synchronization

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
    /// Call it before the act: without an entry, there is then no act.
    ///
    /// - Parameters:
    ///   - act: The act: `promote`.
    ///   - details: The objects of the act, by name. The line also names the store, the acting user, the system's user, and
    ///     the caller of sudo.
    /// - Throws: `CommandFailure` if the line cannot be written.
    public func record(
        act: String, _ details: [String: String] = [:], in environment: UserEnvironment = .current
    ) async throws(CommandFailure) {
        let sources = try await sources(in: environment)
        let setting = try sources.value(of: .operatorLog)
        guard let path = setting.value.map(environment.expanding) else { return }
        var members = ["act": act, "by": ProcessInfo.processInfo.userName]
        members["as"] = try sources.value(of: .caller).value
        members["sudo"] = environment.variables["SUDO_USER"]
        members["store"] = try StoreSettings.shownStore(in: sources).value
        members.merge(details) { $1 }
        let failure = Mutex<Int32>(0)
        let sink = LogSink { line in failure.withLock { $0 = Self.append(line, to: path) } }
        Logger(label: "operators") { JSONLogHandler(label: $0, level: .notice, sink: sink) }
            .notice("operator act", metadata: members.mapValues(Logger.MetadataValue.string))
        let error = failure.withLock(\.self)
        guard error == 0 else {
            throw setting.refusal("cannot write the operator log \(path): \(unsafe String(cString: strerror(error)))")
        }
    }

    /// Appends with one system call, so that lines of concurrent commands do not mix.
    ///
    /// - Returns: The error number; 0 for none.
    private static func append(_ bytes: [UInt8], to path: String) -> Int32 {
        let file = unsafe open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return errno }
        defer { close(file) }
        let count = unsafe bytes.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
        guard count >= 0 else { return errno }
        return count == bytes.count ? 0 : ENOSPC
    }
}
