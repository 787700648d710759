public import ArgumentParser
internal import LarderData
internal import LarderInfrastructure

/// `log`: prints the records of a file store's log.
public struct LogCommand<Program: ServiceProgram>: AsyncParsableCommand {
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "log",
            abstract: "Reads the log of a file store and prints what each record says.",
            discussion: """
                The store is not opened and may be in use; nothing is changed. Each record is judged by its checksum. Where \
                bytes are no record, their place is named and the exit status is \(ExitStatus.checkFailed.rawValue).
                """)
    }

    @OptionGroup var options: StoreOptions

    @Argument(help: ArgumentHelp("The folder of the store. Default: that of --store.", valueName: "dir"))
    var folder: String?

    @Flag(help: "Print JSON, a line for each record.")
    var json = false

    public init() {}

    public func run() async throws {
        var options = options
        if let folder { options.store = folder.hasPrefix("file:") ? folder : "file:\(folder)" }
        var log = try await options.settings().log(try Program.schemas)
        var (records, bytes) = (0, 0)
        while let entry = try await log.next() {
            if json { try Terminal.output(json: entry.view) } else { try Terminal.output(entry.line) }
            guard entry.isIntact else {
                let trouble = entry.isDamage ? "is damaged" : "is cut short"
                throw CommandFailure(
                    .checkFailed, "\(log.path) \(trouble) at byte \(entry.offset)",
                    advice: entry.isDamage
                        ? "The store will not open; put a copy in its place, or import what was exported."
                        : "Opening the store drops what follows, unless it had been closed properly.")
            }
            (records, bytes) = (records + 1, bytes + entry.size)
        }
        Terminal.warn("\(counted(records, "record")), \(bytes) bytes, all checksums right")
    }
}

extension LogInspector.Entry {
    fileprivate var isDamage: Bool { content == .damage }

    fileprivate var line: String {
        "at byte \(offset), \(size) bytes, \(isIntact ? "checksum right" : "no record"): \(words)"
    }

    private var words: String {
        switch content {
        case .head(let sequence): "head, after commit \(sequence)"
        case .roots(let count): counted(count, "root")
        case .end(let roots): "end of \(counted(roots, "root"))"
        case .commits(let numbers, let inserts, let updates, let deletes, let removals):
            "commit \(numbers.lowerBound)\(numbers.count == 1 ? "" : " to \(numbers.upperBound)")"
                + ", \(inserts) inserted, \(updates) updated, \(deletes) deleted"
                + (removals == 0 ? "" : ", \(counted(removals, "reference")) removed wherever it is")
        case .cutShort: "cut short, or not written yet"
        case .damage: "damage"
        }
    }
}
