#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#else
private import Darwin
#endif

/// The two ways out of a program: standard output for what was asked for, standard error for what is said about it.
public enum Terminal {
    /// Catches what this task and its children write, for tests; see ``CapturedOutput``.
    @TaskLocal static var capture: CapturedOutput?

    /// What standard output can show.
    public static var outputTraits: TerminalTraits { traits(of: STDOUT_FILENO) }

    /// What standard error can show.
    public static var errorTraits: TerminalTraits { traits(of: STDERR_FILENO) }

    /// A line on standard error.
    ///
    /// - Parameter title: What stands before it, and stands out where it can.
    public static func warn(_ line: String, title: String = "") {
        let traits = errorTraits
        show(traits.styled(title, .trouble) + traits.harmless(line) + "\n")
    }

    /// Text on standard error, as it is.
    static func show(_ text: String) {
        if let capture { return capture.add(errors: Array(text.utf8)) }
        write(Array(text.utf8), to: STDERR_FILENO)
    }

    /// Bytes on standard output, as they are.
    ///
    /// - Throws: `CommandFailure` when they cannot be written; without a message where the reader has closed the pipe.
    public static func output(_ bytes: [UInt8]) throws(CommandFailure) {
        if let capture { return capture.add(output: bytes) }
        guard write(bytes, to: STDOUT_FILENO) else {
            // Nobody is left to be told where the reader has closed the pipe, as 'head' does when it has enough.
            throw CommandFailure(.outputFailed, errno == EPIPE ? "" : "cannot write the output")
        }
    }

    /// A line on standard output.
    ///
    /// - Parameter style: How it stands out where it can.
    public static func output(_ line: String, _ style: TextStyle? = nil) throws(CommandFailure) {
        let traits = outputTraits
        let text = traits.harmless(line)
        try output(Array(((style.map { traits.styled(text, $0) } ?? text) + "\n").utf8))
    }

    /// A table on standard output, as wide as there is room for.
    public static func output(_ table: TextTable) throws(CommandFailure) {
        for (index, line) in table.lines(fitting: outputTraits.width).enumerated() {
            try output(line, index == 0 ? .strong : nil)
        }
    }

    /// Items on standard output: a row for each, or a JSON array for programs.
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

/// Outside the enum, where `write` is the function of the C library.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    unsafe write(descriptor, bytes, count)
}
