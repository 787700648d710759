public import ArgumentParser
internal import LarderInfrastructure

/// `log`: prints the records of a file store's log.
public struct LogCommand<Program: ServiceProgram>: AsyncParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "log",
            abstract: "Prints the records of the log of a file store.",
            discussion: """
                The store is not opened and may be in use; nothing is changed. The command verifies each checksum. If \
                bytes are not a record, it prints their offset, and the exit status is \
                \(ExitStatus.checkFailed.rawValue).
                """)
    }

    @OptionGroup var options: StoreOptions

    @Argument(help: ArgumentHelp("The folder of the store. Default: the folder of --store.", valueName: "dir"))
    var folder: String?

    @Flag(help: "Print JSON, one line per record.")
    var json = false

    public init() {}

    public func run() async throws {
        var options = options
        if let folder { options.store = folder.hasPrefix("file:") ? folder : "file:\(folder)" }
        var log = try await options.settings().log()
        var (records, bytes) = (0, 0)
        while let entry = try await log.next() {
            if json { try Terminal.output(json: entry.view) } else { try Terminal.output(entry.line) }
            guard entry.isIntact else {
                let trouble = entry.isDamage ? "is damaged" : "is truncated"
                throw CommandFailure(
                    .checkFailed, "\(log.path) \(trouble) at byte \(entry.offset)",
                    advice: entry.isDamage
                        ? "The store cannot be opened; restore a copy, or import an export."
                        : "Opening the store drops the rest, unless it was closed properly.")
            }
            (records, bytes) = (records + 1, bytes + entry.size)
        }
        Terminal.warn("\(counted(records, "record")), \(bytes) bytes, all checksums correct")
    }
}

extension LogInspector.Entry {
    fileprivate var isDamage: Bool { content == .damage }

    fileprivate var line: String {
        "at byte \(offset), \(size) bytes, \(isIntact ? "checksum correct" : "not a record"): \(words)"
    }

    private var words: String {
        switch content {
        case .head(let sequence): "head, after commit \(sequence)"
        case .journal(let count): "journal of \(counted(count, "commit"))"
        case .roots(let count): counted(count, "root")
        case .end(let roots): "end of \(counted(roots, "root"))"
        case .commits(let numbers, let inserts, let updates, let deletes, let removals):
            "commit \(numbers.lowerBound)\(numbers.count == 1 ? "" : " to \(numbers.upperBound)")"
                + ", \(inserts) inserted, \(updates) updated, \(deletes) deleted"
                + (removals == 0 ? "" : ", \(counted(removals, "reference")) removed from all objects")
        case .cutShort: "truncated, or not completely written"
        case .damage: "damage"
        }
    }
}
