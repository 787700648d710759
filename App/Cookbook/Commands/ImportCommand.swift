internal import ArgumentParser
internal import CookbookDomain
internal import LarderApp
internal import UnixSignals

struct ImportCommand: CookbookCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Imports recipes from schema.org JSON.",
        discussion: """
            A file contains one schema.org/Recipe object, an array, an object with @graph or with a recipe as \
            mainEntity, or JSON Lines, whose first line is an object. A recipe is recognised by its identifier, else \
            @id, else url, else name and author; an identifier that is not a URL belongs to the host of the url. \
            Importing a recipe again updates it and keeps your rating. A keyword that differs from a tag only in case \
            means that tag. What a recipe cannot contain is reported. Invalid items are reported, and the others are imported; the exit \
            status is then 65. A file that is neither valid JSON nor JSON Lines is refused as a whole.
            """)

    /// The maximum number of invalid items in the message.
    private static let shown = 10
    static let httpWay = "POST /v1/import"
    @OptionGroup var options: StoreOptions

    @Argument(help: ArgumentHelp("The files; - is standard input.", valueName: "file"), completion: .file())
    var files: [String]

    @Flag(help: "Import all recipes, or none if one is invalid.")
    var strict = false

    @Flag(help: "Print the report as JSON.")
    var json = false

    /// Whether signals end the import and with it the process; `false` in a process that does other work.
    @TaskLocal private static var endsBySignal = false

    func run() async throws {
        try await Self.$endsBySignal.withValue(true) { try await run(with: Larder.container) }
    }

    func run(in cookbook: OpenCookbook) async throws {
        let progress = ImportProgress()
        let ending = Self.endsBySignal ? Task { [json] in await Self.end(progress, json: json) } : nil
        defer { ending?.cancel() }
        var run = ImportRun(useCase: cookbook.importRecipes, isStrict: strict, progress: progress)
        do {
            try await run.take(files)
        } catch {
            // Recipes stored before the error are kept, and reported.
            if !run.report.isEmpty { try Self.show(run.report, json: json) }
            throw error
        }
        // From here on a signal waits for the report below, after which the process exits.
        try await progress.begin()
        try Self.show(run.report, json: json)
        if let failure = run.report.failure(isStrict: strict) { throw failure }
    }

    /// Exits the process on a signal, with a report of the stored recipes; the import may wait for input indefinitely.
    private static func end(_ progress: ImportProgress, json: Bool) async {
        for await signal in await UnixSignalsSequence(trapping: .sigterm, .sigint) {
            try? show(await progress.stop(), json: json)
            Terminal.warn("stopped by \(signal); counted recipes are stored", title: "larder: ")
            // The shell's exit status of a command that a signal ends.
            exit(withError: ExitCode(128 + signal.rawValue))
        }
    }

    private static func show(_ report: ImportReport, json: Bool) throws {
        if json { try Terminal.output(json: report.json) } else { try report.print() }
        for trouble in report.failed.prefix(shown) {
            Terminal.warn("\(trouble.place.file):\(trouble.place.position): \(trouble.reason)")
        }
        let rest = report.failed.count - shown
        if rest > 0 { Terminal.warn("… and \(rest) more; --json lists all") }
    }
}
