public import LarderDomain
public import Logging
private import Synchronization

/// Writes each log entry as one line of JSON.
///
/// First `timestamp` (RFC 3339 in UTC with microseconds), `level`, `logger` and `message`, then `error` if present,
/// then the metadata sorted by name, with nested values as `outer.inner`; numbers and Booleans keep their type.
/// Metadata with the name of one of the first members is written as `metadata.level`.
///
/// It does not redact: callers must not log secrets or personal data (tokens, passwords, bodies, e-mail addresses). The
/// kit never logs headers, bodies, raw paths or query strings.
public struct JSONLogHandler: LogHandler {
    /// The level of handlers without an explicit level, such as those of libraries.
    public static var standardLevel: Logger.Level {
        get { sharedLevel.withLock(\.self) }
        set { sharedLevel.withLock { $0 = newValue } }
    }
    private static let sharedLevel = Mutex(Logger.Level.info)

    /// The minimum level; the logger drops entries below it.
    public var logLevel: Logger.Level {
        get { ownLevel ?? Self.standardLevel }
        set { ownLevel = newValue }
    }
    private var ownLevel: Logger.Level?
    /// The metadata of every entry.
    public var metadata: Logger.Metadata = [:]
    /// Adds metadata when an entry is created; ``metadata`` takes precedence.
    public var metadataProvider: Logger.MetadataProvider?
    private let label: String
    private let sink: LogSink
    private let now: @Sendable () -> Timestamp

    /// - Parameters:
    ///   - label: The logger's name.
    ///   - level: The minimum level; `nil` for ``standardLevel``.
    ///   - metadataProvider: See ``metadataProvider``.
    ///   - sink: The destination of lines.
    ///   - now: The clock.
    public init(
        label: String, level: Logger.Level? = nil, metadataProvider: Logger.MetadataProvider? = nil,
        sink: LogSink = .standardError, now: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) {
        (self.label, self.sink, self.now) = (label, sink, now)
        (ownLevel, self.metadataProvider) = (level, metadataProvider)
    }

    /// Makes this handler the default of all loggers in the process. Call it once per process, before the first log
    /// entry.
    ///
    /// - Parameter metadataProvider: Adds metadata to every entry; a tracer's provider adds the ids of trace and span.
    public static func bootstrap(metadataProvider: Logger.MetadataProvider? = nil) {
        LoggingSystem.bootstrap(
            { JSONLogHandler(label: $0, metadataProvider: $1) }, metadataProvider: metadataProvider)
    }

    /// A metadata value of every entry.
    public subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Passes a line to the sink.
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

    /// The metadata of an entry with the handler's; copies as little as possible, because every request logs an entry.
    private func all(_ own: Logger.Metadata) -> Logger.Metadata {
        var all = own
        for (name, value) in metadata where all[name] == nil { all[name] = value }
        guard let provided = metadataProvider?.get() else { return all }
        return all.merging(provided) { own, _ in own }
    }

    private static let ownNamesAndError = ownNames + ["error"]
    private static let ownNames = ["timestamp", "level", "logger", "message"]
}
