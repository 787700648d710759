#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#else
private import Darwin
#endif

/// The program's output: results on standard output, messages on standard error.
public enum Terminal {
    /// Captures the output of this task and its children, for tests; see ``CapturedOutput``.
    @TaskLocal static var capture: CapturedOutput?

    /// The traits of standard output.
    public static var outputTraits: TerminalTraits { traits(of: STDOUT_FILENO) }

    /// The traits of standard error.
    public static var errorTraits: TerminalTraits { traits(of: STDERR_FILENO) }

    /// Prints a line on standard error.
    ///
    /// - Parameters:
    ///   - line: The line, whose control characters are escaped on a terminal.
    ///   - title: The prefix of the line, highlighted if the terminal can.
    public static func warn(_ line: String, title: String = "") {
        let traits = errorTraits
        show(traits.styled(title, .trouble) + traits.harmless(line) + "\n")
    }

    /// Prints text on standard error, unchanged.
    static func show(_ text: String) {
        if let capture { return capture.add(errors: Array(text.utf8)) }
        write(Array(text.utf8), to: STDERR_FILENO)
    }

    /// Writes bytes to standard output, unchanged.
    ///
    /// - Throws: `CommandFailure` when they cannot be written; without a message if the reader has closed the pipe.
    public static func output(_ bytes: [UInt8]) throws(CommandFailure) {
        if let capture { return capture.add(output: bytes) }
        guard write(bytes, to: STDOUT_FILENO) else {
            // No message for a closed pipe: a reader such as 'head' closes it when it has enough.
            throw CommandFailure(.outputFailed, errno == EPIPE ? "" : "cannot write the output")
        }
    }

    /// Prints a line on standard output.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - style: The style of the line, if the terminal shows styles.
    public static func output(_ line: String, _ style: TextStyle? = nil) throws(CommandFailure) {
        let traits = outputTraits
        let text = traits.harmless(line)
        try output(Array(((style.map { traits.styled(text, $0) } ?? text) + "\n").utf8))
    }

    /// Prints a table on standard output, fitted to the terminal's width.
    public static func output(_ table: TextTable) throws(CommandFailure) {
        for (index, line) in table.lines(fitting: outputTraits.width).enumerated() {
            try output(line, index == 0 ? .strong : nil)
        }
    }

    /// Prints items on standard output: a row for each, or a JSON array for programs.
    public static func output<Item>(
        _ items: [Item], asJSON: Bool, _ columns: [TextTable.Column], row: (Item) -> [String], json: (Item) -> JSON
    ) throws(CommandFailure) {
        if asJSON { return try output(json: items.map(json)) }
        var table = TextTable(columns)
        for item in items { table.add(row(item)) }
        try output(table)
    }

    private static func traits(of descriptor: Int32) -> TerminalTraits {
        guard capture == nil, isatty(descriptor) == 1 else { return .plain }
        var size = winsize()
        let isKnown = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
        return TerminalTraits(columns: isKnown ? Int(size.ws_col) : nil, environment: .current)
    }

    @discardableResult
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe systemWrite(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// Declared outside the enum, where `write` means the function of the C library.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}
