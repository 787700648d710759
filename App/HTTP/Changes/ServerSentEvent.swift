/// An event of a `text/event-stream`, as specified by WHATWG HTML.
///
/// A line break in a field would start another field. In data it starts another `data` line, as the format specifies.
/// In a name, an id or a comment it becomes a space.
public struct ServerSentEvent: Sendable, Equatable {
    /// The name that listeners subscribe to; `nil` means `message`.
    public var event: String?
    /// The id that a client sends back. An event without data sets the id too, and has no other effect.
    public var id: String?
    /// The data for listeners. An event without data calls no listener.
    public var data: String?
    /// The delay before a client reconnects, in milliseconds.
    public var retry: Int?
    /// Ignored by clients: it keeps the connection from being idle.
    public var comment: String?

    /// Makes an event from its fields.
    public init(
        event: String? = nil, id: String? = nil, data: String? = nil, retry: Int? = nil, comment: String? = nil
    ) {
        (self.event, self.id, self.data, self.retry, self.comment) = (event, id, data, retry, comment)
    }

    /// The encoded event, with the empty line at its end.
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

    /// Splits only at the line breaks of the format: CRLF, CR and LF; not at other line breaks of Unicode.
    private static func lines(_ text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false) { $0 == "\r\n" || $0 == "\r" || $0 == "\n" }
    }
}
