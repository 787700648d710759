/// What one of the ways out of a program can show.
public struct TerminalTraits: Sendable, Equatable {
    /// The columns of a line; `nil` in a pipe or a file, where a line is as long as it has to be.
    public let width: Int?
    /// Whether colours and weights are shown.
    public let isStyled: Bool
    /// Whether a line that was written can be written anew.
    public let isMovable: Bool

    /// Nothing but text: what is written goes to a file or another program.
    public static let plain = TerminalTraits(width: nil, isStyled: false, isMovable: false)

    public init(width: Int?, isStyled: Bool, isMovable: Bool) {
        (self.width, self.isStyled, self.isMovable) = (width, isStyled, isMovable)
    }

    /// The traits of a terminal, as far as it and the environment tell them.
    ///
    /// - Parameter columns: What the terminal says; `nil` or 0 when it says nothing. The variable `COLUMNS` is stronger.
    public init(columns: Int?, environment: UserEnvironment) {
        let variables = environment.variables
        let candidates = [variables["COLUMNS"].flatMap { Int($0) }, columns]
        width = candidates.compactMap { $0 }.first { $0 > 0 } ?? 80
        isMovable = variables["TERM"] != "dumb"
        // The convention of no-color.org: any value but an empty one.
        isStyled = isMovable && (variables["NO_COLOR"] ?? "").isEmpty
    }

    /// One line of text, with escapes for what a terminal would obey rather than show; as it is where no terminal reads it.
    func harmless(_ line: String) -> String {
        width == nil ? line : line.escapingControls()
    }

    /// A text with a style around it, or without where styles are not shown.
    public func styled(_ text: String, _ style: TextStyle) -> String {
        isStyled && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}

/// How a text stands out on a terminal.
public enum TextStyle: Int, Sendable {
    case strong = 1
    case trouble = 31
}
