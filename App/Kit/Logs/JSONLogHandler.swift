public import LarderDomain
public import Logging
private import Synchronization

/// Writes each entry of a log as one line of JSON.
///
/// First `timestamp` (RFC 3339 in UTC with microseconds), `level`, `logger` and `message`, then `error` where there is
/// one, then the metadata sorted by name, what is nested as `outer.inner`; numbers and truth values that were given as
/// such stay such. Metadata with the name of one of the first members is written as `metadata.level`.
///
/// It takes nothing out: what must not be in a log (tokens, passwords, bodies, e-mail addresses) is for those who log
/// not to log. Nothing in the kit logs headers, bodies, raw paths or query strings.
public struct JSONLogHandler: LogHandler {
    /// The level of each handler that has none of its own: of the loggers of libraries.
    public static var standardLevel: Logger.Level {
        get { sharedLevel.withLock(\.self) }
        set { sharedLevel.withLock { $0 = newValue } }
    }
    private static let sharedLevel = Mutex(Logger.Level.info)

    /// Entries below it are dropped by the logger.
    public var logLevel: Logger.Level {
        get { ownLevel ?? Self.standardLevel }
        set { ownLevel = newValue }
    }
    private var ownLevel: Logger.Level?
    /// What every entry carries.
    public var metadata: Logger.Metadata = [:]
    /// Adds to every entry what it finds when it is made; weaker than ``metadata``.
    public var metadataProvider: Logger.MetadataProvider?
    private let label: String
    private let sink: LogSink
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - label: The logger's name.
    ///   - level: The lowest level that is written; `nil` for ``standardLevel``.
    ///   - metadataProvider: See ``metadataProvider``.
    ///   - sink: Where lines go.
    ///   - now: The clock.
    public init(
        label: String, level: Logger.Level? = nil, metadataProvider: Logger.MetadataProvider? = nil,
        sink: LogSink = .standardError, now: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) {
        (self.label, self.sink, self.now) = (label, sink, now)
        (ownLevel, self.metadataProvider) = (level, metadataProvider)
    }

    /// Makes every logger of the process that names no handler write with this one. Call it once in a process, before
    /// anything logs.
    ///
    /// - Parameter metadataProvider: Adds to every entry; that of a tracer adds the ids of trace and span.
    public static func bootstrap(metadataProvider: Logger.MetadataProvider? = nil) {
        LoggingSystem.bootstrap(
            { JSONLogHandler(label: $0, metadataProvider: $1) }, metadataProvider: metadataProvider)
    }

    /// A value that every entry carries.
    public subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Hands a line to the sink.
    public func log(event: LogEvent) {
        var line = LogLine()
        line.add("timestamp", .text(now().fixedWidthDescription))
        line.add("level", .text(event.level.rawValue))
        line.add("logger", .text(label))
        line.add("message", .text(event.message.description))
        if let error = event.error { line.add("error", .text("\(error)")) }
        let reserved = event.error == nil ? Self.ownNames : Self.ownNamesAndError
        for (name, value) in all(event.metadata ?? [:]).flattened(reserved: reserved) { line.add(name, value) }
        line.end()
        sink(line.bytes)
    }

    /// What an entry carries, with what the handler adds; copies as little as it can, because every request is an entry.
    private func all(_ own: Logger.Metadata) -> Logger.Metadata {
        var all = own
        for (name, value) in metadata where all[name] == nil { all[name] = value }
        guard let provided = metadataProvider?.get() else { return all }
        return all.merging(provided) { own, _ in own }
    }

    private static let ownNamesAndError = ownNames + ["error"]
    private static let ownNames = ["timestamp", "level", "logger", "message"]
}
