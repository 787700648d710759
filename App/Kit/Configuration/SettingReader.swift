/// Reads settings and collects the errors, so that one message lists all of them.
public struct SettingReader {
    /// The sources that are read.
    public let sources: SettingSources
    /// The errors so far, in the order of reading; ``check()`` throws them.
    public private(set) var failures: [CommandFailure] = []

    /// Creates a reader without errors.
    public init(_ sources: SettingSources) {
        self.sources = sources
    }

    /// Refuses a setting because of its value or of another setting.
    public mutating func refuse(_ setting: EffectiveSetting, _ message: String) {
        failures.append(setting.refusal(message))
    }

    /// Calls a closure that reads settings itself; `nil` if it fails.
    public mutating func read<Value>(_ body: (SettingSources) throws(CommandFailure) -> Value) -> Value? {
        do throws(CommandFailure) {
            return try body(sources)
        } catch {
            failures.append(error)
            return nil
        }
    }

    /// A setting with its source; `nil` if its value in the settings file is not text.
    public mutating func effective(_ setting: Setting) -> EffectiveSetting? {
        read { sources throws(CommandFailure) in try sources.value(of: setting) }
    }

    /// The text of a setting.
    public mutating func value(_ setting: Setting) -> String? { effective(setting)?.value }

    /// An integer, as text or as a number in the settings file.
    public mutating func integer(_ setting: Setting, default standard: Int, in range: ClosedRange<Int>) -> Int {
        parsed(setting, standard, "must be an integer from \(range.lowerBound) to \(range.upperBound)") {
            Int($0).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// A duration with its unit: `250ms`, `5s`, `2m`.
    public mutating func duration(
        _ setting: Setting, default standard: Duration, in range: ClosedRange<Duration>
    ) -> Duration {
        let bounds = "from \(range.lowerBound.settingText) to \(range.upperBound.settingText)"
        return parsed(setting, standard, "must be a duration \(bounds), such as 250ms, 5s, or 2m") {
            Duration(setting: $0).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// A word out of the cases of a type.
    public mutating func word<Word: RawRepresentable<String> & CaseIterable>(
        _ setting: Setting, default standard: Word
    ) -> Word {
        parsed(setting, standard, "must be one of \(Word.words)", Word.init(rawValue:))
    }

    /// A setting that a function parses.
    ///
    /// - Parameters:
    ///   - setting: The setting.
    ///   - standard: The value if no source sets it, or if it is refused.
    ///   - complaint: The predicate of the message for a value that the function rejects.
    ///   - parse: Converts the text; `nil` refuses it.
    public mutating func parsed<Value>(
        _ setting: Setting, _ standard: Value, _ complaint: String, _ parse: (String) -> Value?
    ) -> Value {
        guard let found = read({ sources throws(CommandFailure) in try sources.number(of: setting) }),
            let text = found.value
        else { return standard }
        guard let value = parse(text) else {
            refuse(found, "invalid \(setting.name) '\(text)': \(complaint)")
            return standard
        }
        return value
    }

    /// Finishes reading.
    ///
    /// - Throws: One `CommandFailure` with a line for each error; `configuration` takes precedence over `usage`.
    public func check() throws(CommandFailure) { try CommandFailure.check(failures) }
}

extension CommandFailure {
    /// Combines errors in settings into one.
    static func check(_ failures: [CommandFailure]) throws(CommandFailure) {
        guard let first = failures.first else { return }
        guard failures.count > 1 else { throw first }
        let status = failures.first { $0.status != .usage }?.status ?? .usage
        let lines = failures.map { "  " + $0.message }
        throw CommandFailure(
            status, "\(counted(failures.count, "invalid setting")):\n" + lines.joined(separator: "\n"),
            advice: failures.lazy.compactMap(\.advice).first)
    }
}

extension CaseIterable where Self: RawRepresentable<String> {
    /// The values of a setting, for messages.
    package static var words: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension Duration {
    init?(setting text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits), number <= 1_000_000_000 else { return nil }
        switch text.dropFirst(digits.count) {
        case "ms": self = .milliseconds(number)
        case "s": self = .seconds(number)
        case "m": self = .seconds(number * 60)
        case "h": self = .seconds(number * 3_600)
        case "d": self = .seconds(number * 86_400)
        default: return nil
        }
    }

    /// The text that parses as this duration, truncated to milliseconds.
    package var settingText: String {
        let milliseconds = nanoseconds / 1_000_000
        if milliseconds > 0, milliseconds % 86_400_000 == 0 { return "\(milliseconds / 86_400_000)d" }
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
    }
}
