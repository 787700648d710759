public import ArgumentParser
internal import LarderData
internal import LarderDomain
internal import Synchronization

/// `migrate`: brings a store to the schemas of the program.
public struct MigrateCommand<Program: ServiceProgram>: AsyncParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "migrate",
            abstract: "Changes a store to the schemas of this version of the program.",
            discussion: """
                A change that is not additive is preceded by a copy of the data next to the store, except in PostgreSQL. \
                The migration is all or nothing, also if it is interrupted. No service may have a SQLite or file store \
                open.
                """)
    }

    @OptionGroup var options: StoreOptions

    @Flag(help: "Print the pending changes, for sqlite: the statements, and for postgres: the locks, changing nothing.")
    var plan = false

    @Flag(help: "Print the changes of the past.")
    var history = false

    @Flag(help: "Keep no copy of the data before the migration.")
    var noCopy = false

    @Flag(help: "Print JSON.")
    var json = false

    public init() {}

    public func validate() throws {
        if plan, history { throw ValidationError("--plan and --history exclude each other") }
        if noCopy, plan || history { throw ValidationError("--no-copy applies to the migration itself") }
        if json, !plan, !history { throw ValidationError("--json applies to --plan and --history") }
    }

    public func run() async throws {
        let settings = try await options.settings()
        let schemas = try Program.schemas
        let status = try await settings.schemaStatus(schemas)
        if history { return try print(status.history) }
        if plan { return try print(status, to: schemas.evolution.version) }
        guard !status.changes.isEmpty else {
            return try Terminal.output(
                "\(settings.location) has schema version \(status.version) and needs no migration")
        }
        let copy = settings.copyPath(ofVersion: status.version)
        guard status.isAdditive || noCopy || copy != nil else {
            throw CommandFailure(
                .usage, "a migration makes no copy of \(settings.location)",
                advice: "Write one with '\(Program.identity.name) backup FILE', then use --no-copy.")
        }
        try await options.record(act: "migrate", ["from": "\(status.version)", "to": "\(schemas.evolution.version)"])
        // The store's thread reports progress.
        let bar = Mutex(ProgressBar("migrate"))
        do {
            try await settings.migrate(schemas, copies: !noCopy) { progress in
                let fraction = progress.total.map { Double(progress.done) / Double(max(1, $0)) }
                bar.withLock { $0.update(done: progress.done, fraction: fraction) }
            }
        } catch {
            bar.withLock { $0.clear() }
            throw error
        }
        bar.withLock { $0.clear() }
        for change in status.changes { try Terminal.output(change) }
        if !status.isAdditive, !noCopy, let copy { Terminal.warn("A copy of the data before is at \(copy)") }
        Terminal.warn("\(settings.location): schema version \(schemas.evolution.version)")
    }

    private func print(_ history: [SchemaHistoryEntry]) throws {
        try Terminal.output(
            history, asJSON: json,
            [.init("VERSION", isNumber: true), .init("TIME", isKey: true), .init("CHANGE")],
            row: { ["\($0.version)", $0.time.fixedWidthDescription, $0.summary] },
            json: {
                JSON.sorted([
                    "version": $0.version, "step": $0.step, "checksum": $0.checksum, "time": $0.time,
                    "summary": $0.summary, "refuses_before": $0.refusesBefore,
                ])
            })
    }

    private func print(_ status: SchemaStatus, to version: Int) throws {
        guard !json else {
            return try Terminal.output(
                json: JSON.sorted([
                    "version": status.version, "declared": version, "changes": status.changes, "kept": status.kept,
                    "statements": status.statements, "locks": status.locks, "additive": status.isAdditive,
                ]))
        }
        for change in status.changes { try Terminal.output(change) }
        for statement in status.statements { try Terminal.output(statement) }
        for lock in status.locks { try Terminal.output("lock \(lock)") }
        for kept in status.kept { Terminal.warn("unknown to this program, and kept: \(kept)") }
        let kind =
            status.isAdditive
            ? "additive: programs of version \(status.version) can still use the store" : "not additive"
        Terminal.warn(
            status.changes.isEmpty
                ? "schema version \(status.version), no changes are pending"
                : "schema version \(status.version); \(counted(status.changes.count, "change")) to version \(version), \(kind)"
        )
    }
}
