/// The traits of standard output or standard error.
public struct TerminalTraits: Sendable, Equatable {
    /// The columns of a line; `nil` for a pipe or a file, where the length of a line is unlimited.
    public let width: Int?
    /// Whether colours and font weights are shown.
    public let isStyled: Bool
    /// Whether a printed line can be overwritten.
    public let isMovable: Bool

    /// Plain text: the output is a file or another program.
    public static let plain = TerminalTraits(width: nil, isStyled: false, isMovable: false)

    /// Creates traits from known values.
    public init(width: Int?, isStyled: Bool, isMovable: Bool) {
        (self.width, self.isStyled, self.isMovable) = (width, isStyled, isMovable)
    }

    /// The traits of a terminal, derived from its columns and the environment.
    ///
    /// - Parameters:
    ///   - columns: The terminal's width; `nil` or 0 if unknown. The variable `COLUMNS` overrides it.
    ///   - environment: The environment, with `COLUMNS`, `TERM` and `NO_COLOR`.
    public init(columns: Int?, environment: UserEnvironment) {
        let variables = environment.variables
        let candidates = [variables["COLUMNS"].flatMap { Int($0) }, columns]
        width = candidates.compactMap { $0 }.first { $0 > 0 } ?? 80
        isMovable = variables["TERM"] != "dumb"
        // The convention of no-color.org: any non-empty value disables styles.
        isStyled = isMovable && (variables["NO_COLOR"] ?? "").isEmpty
    }

    /// One line of text with its control characters escaped; unchanged if the output is not a terminal.
    func harmless(_ line: String) -> String {
        width == nil ? line : line.escapingControls()
    }

    /// A text in a style; unchanged if styles are not shown.
    public func styled(_ text: String, _ style: TextStyle) -> String {
        isStyled && !text.isEmpty ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }
}

/// A text style on a terminal.
public enum TextStyle: Int, Sendable {
    /// Bold.
    case strong = 1
    /// Red, for errors and warnings.
    case trouble = 31
}
