/// One event of a `text/event-stream`, as WHATWG HTML describes it.
///
/// A line break in a field would begin another field: in data it begins another `data` line, as the format has it, and
/// in a name, an id or a comment it becomes a blank.
public struct ServerSentEvent: Sendable, Equatable {
    /// The name that listeners subscribe to; `nil` is `message`.
    public var event: String?
    /// The id that a client hands back; an event without data sets it, too, and is otherwise not seen.
    public var id: String?
    /// What listeners receive; without it nobody is called.
    public var data: String?
    /// How long a client waits before it connects again, in milliseconds.
    public var retry: Int?
    /// For nobody: it keeps a connection from being idle.
    public var comment: String?

    /// Makes an event of the fields given.
    public init(
        event: String? = nil, id: String? = nil, data: String? = nil, retry: Int? = nil, comment: String? = nil
    ) {
        (self.event, self.id, self.data, self.retry, self.comment) = (event, id, data, retry, comment)
    }

    /// Its text, with the blank line that ends it.
    public var encoded: String {
        var text = ""
        if let comment { text += comment.isEmpty ? ":\n" : ": \(Self.line(comment))\n" }
        if let retry { text += "retry: \(retry)\n" }
        if let event { text += "event: \(Self.line(event))\n" }
        if let id { text += "id: \(Self.line(id))\n" }
        if let data { for line in Self.lines(data) { text += "data: \(line)\n" } }
        return text + "\n"
    }

    private static func line(_ text: String) -> String { lines(text).joined(separator: " ") }

    /// Splits at the format's line breaks, CRLF, CR and LF, and at no other of Unicode's.
    private static func lines(_ text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false) { $0 == "\r\n" || $0 == "\r" || $0 == "\n" }
    }
}
