internal import Subprocess

/// A database that is adopted, read by its own shell, which opens it for reading only.
struct SourceDatabase {
    enum Dialect { case sqlite, postgres }

    /// The longest line, which contains one row: twice the size of a commit, because bytes are hexadecimal.
    private static let longestLine = 160 << 20

    let dialect: Dialect
    private let place: String

    /// - Throws: `CommandFailure` for a text that names no database, or has a password.
    init(_ text: String) throws(CommandFailure) {
        if text.hasPrefix("sqlite:"), text != "sqlite:" {
            (dialect, place) = (.sqlite, UserEnvironment.current.expanding(String(text.dropFirst(7))))
        } else if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
            (dialect, place) = (.postgres, text)
            let user = text.drop { $0 != "/" }.dropFirst(2).prefix { $0 != "/" }
            guard !(user.contains("@") && user.prefix { $0 != "@" }.contains(":")), !text.contains("password=") else {
                throw CommandFailure(
                    .usage, "other users can see a password on the command line",
                    advice: "Set PGPASSWORD, or use ~/.pgpass.")
            }
        } else {
            throw CommandFailure(
                .usage, "invalid source '\(text)'", advice: "Use sqlite:PATH, or postgres://USER@HOST/DATABASE.")
        }
    }

    /// Calls a body with each row of a query, in order, while the shell writes the next ones.
    ///
    /// - Parameter body: Gets the number of the row, and its text; `nil` for one that is too long.
    /// - Throws: `CommandFailure` if the shell is missing, or cannot read the database; errors of the body.
    func forEachRow(of query: String, _ body: (Int, [UInt8]?) async throws -> Void) async throws {
        let (program, arguments) =
            switch dialect {
            case .sqlite: ("sqlite3", ["-batch", "-bail", "-init", "/dev/null", "-readonly", "-list", place, query])
            case .postgres:
                (
                    "psql",
                    ["--no-psqlrc", "-At", "-v", "ON_ERROR_STOP=1", "-v", "FETCH_COUNT=500", "-d", place, "-c", query]
                )
            }
        // Rows are read from a cursor, in the forms that the conversions expect.
        let options = "-c default_transaction_read_only=on -c TimeZone=UTC -c DateStyle=ISO -c extra_float_digits=1"
        do {
            let result = try await run(
                .name(program), arguments: Arguments(arguments), environment: .inherit.updating(["PGOPTIONS": options]),
                input: .none, output: .sequence, error: .string(limit: 64 << 10)
            ) { execution in
                var cutter = LineCutter(maximumLength: Self.longestLine)
                func cut() async throws {
                    while let cut = cutter.next() {
                        switch cut {
                        case .line(let line): try await body(line.number, line.bytes)
                        case .tooLong(let number): try await body(number, nil)
                        }
                    }
                }
                for try await buffer in execution.standardOutput {
                    cutter.append(unsafe buffer.withUnsafeBytes { unsafe Array($0) })
                    try await cut()
                }
                cutter.end()
                try await cut()
            }
            try Task.checkCancellation()
            guard result.terminationStatus.isSuccess else {
                let message = result.standardError.split(separator: "\n").joined(separator: "; ")
                throw CommandFailure(.badInput, "\(program) cannot read the database: \(message)")
            }
        } catch let error as SubprocessError where error.code == .executableNotFound {
            let package = dialect == .sqlite ? "sqlite3" : "postgresql-client"
            throw CommandFailure(
                .configuration, "the program '\(program)' is not installed", advice: "Install the package \(package).")
        }
    }
}
