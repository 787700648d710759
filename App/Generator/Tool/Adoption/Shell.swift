import Foundation

/// The database that is adopted, read by its own shell: the generator needs no library of it, and the shell opens it for reading
/// only.
enum Shell {
    /// Reads the schema of `sqlite:PATH`, or of a connection string of PostgreSQL.
    static func schema(of source: String, in folder: URL) throws -> SourceSchema {
        let output: Data
        if let path = source.wholeMatch(of: /sqlite:(.+)/)?.1 {
            let file = path.hasPrefix("/") ? URL(filePath: String(path)) : folder.appending(path: String(path))
            guard FileManager.default.fileExists(atPath: file.path) else { throw Refusal("no file '\(file.path)'") }
            output = try run(
                "sqlite3", ["-batch", "-bail", "-init", "/dev/null", "-readonly", file.path, SQLiteSchema.query])
        } else if source.hasPrefix("postgres://") || source.hasPrefix("postgresql://") {
            guard source.firstMatch(of: /:\/\/[^\/@]*:[^\/@]*@/) == nil, !source.contains("password=") else {
                throw Refusal("other users can see a password on the command line; set PGPASSWORD, or use ~/.pgpass")
            }
            output = try run(
                "psql", ["--no-psqlrc", "-At", "-v", "ON_ERROR_STOP=1", "-d", source, "-c", PostgresSchema.query],
                ["PGOPTIONS": "-c default_transaction_read_only=on"])
        } else {
            throw Refusal(
                "invalid FROM '\(source)': write FROM=sqlite:legacy.db, or FROM=postgres://user@host/database")
        }
        var schema = try JSONDecoder().decode(SourceSchema.self, from: output)
        for index in schema.tables.indices where schema.tables[index].checks == nil {
            schema.tables[index].checks = Checks.conditions(in: schema.tables[index].sql ?? "")
        }
        return schema
    }

    private static let packages = ["sqlite3": "sqlite3", "psql": "postgresql-client"]

    private static func run(
        _ program: String, _ arguments: [String], _ more: [String: String] = [:]
    ) throws -> Data {
        let (process, output, errors) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(more) { $1 }
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        // 127 is the status of `env` for a program that is not found.
        if process.terminationStatus == 127 {
            throw Refusal("the program '\(program)' is missing: install the package \(packages[program] ?? program)")
        }
        guard process.terminationStatus == 0 else {
            let message = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            throw Refusal(
                "\(program) cannot read the schema: \(message.trimmingCharacters(in: .whitespacesAndNewlines))")
        }
        return data
    }
}
