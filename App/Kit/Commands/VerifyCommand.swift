public import ArgumentParser
internal import LarderData
internal import LarderDomain

/// `verify`: reads a whole store and reports damage.
public struct VerifyCommand<Program: ServiceProgram>: AsyncParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "verify",
            abstract: "Reads all data of a store and reports damage.",
            discussion: """
                Each object is read through its mapper; its version, derived columns, uniqueness and references are checked, \
                and the structure of a SQLite database or of a log, with the positions in lists, the journal and the indexes of \
                a database. A database may be in use; no file is changed or created. The exit status is \(ExitStatus.checkFailed.rawValue) if there is a problem.

                SQLite has no checksums: a flipped bit within a value, as in a letter of a name, can remain undetected. A \
                file store has a checksum for each record.
                """)
    }

    @OptionGroup var options: StoreOptions

    @Flag(help: "Print the problems as JSON, one per line.")
    var json = false

    public init() {}

    public func run() async throws {
        var settings = try await options.settings()
        (settings.isReadOnly, settings.createsNothing) = (true, true)
        guard settings.location.missingPath == nil else {
            throw CommandFailure(
                .notFound, "no store exists at \(settings.location)",
                advice: "Check --store or \(Setting.store.variable).")
        }
        let store = try await settings.open(try Program.schemas)
        var bar = ProgressBar("verify")
        var problems = 0
        let count: Int
        do {
            count = try await StoreVerifier.verify(store) { progress in
                bar.update(
                    done: progress.done,
                    fraction: progress.total.map { Double(progress.done) / Double(max(1, $0)) })
            } report: { problem in
                problems += 1
                bar.clear()
                guard json else { return try Terminal.output(problem.description) }
                let reference = problem.reference
                try Terminal.output(
                    json: JSON.sorted([
                        "entity": reference?.entity, "id": reference?.id.description, "problem": problem.text,
                    ]))
            }
        } catch {
            bar.clear()
            await store.close()
            throw error
        }
        bar.clear()
        await store.close()
        Terminal.warn("\(settings.location): \(counted(count, "object")) read, \(counted(problems, "problem"))")
        if problems > 0 { throw CommandFailure(.checkFailed) }
    }
}
