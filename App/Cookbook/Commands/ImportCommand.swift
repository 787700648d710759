internal import ArgumentParser
internal import CookbookDomain
internal import LarderApp

/// `larder import`
struct ImportCommand: CookbookCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Takes recipes from schema.org JSON.",
        discussion: """
            A file holds one schema.org/Recipe object, an array, an object with @graph, or JSON Lines. A recipe is \
            recognised by its identifier, else @id, else url, else name and author; importing it again brings it up to \
            date and leaves your rating alone. Bad items are reported and the others go in; the exit status is then 65.
            """)

    /// How many bad items are told to a person.
    private static let shown = 10

    static let httpWay = "POST /v1/import"

    @OptionGroup var options: StoreOptions

    @Argument(help: ArgumentHelp("The files; - is standard input.", valueName: "file"), completion: .file())
    var files: [String]

    @Flag(help: "Take all recipes of all files, or none if one is bad.")
    var strict = false

    @Flag(help: "Print the report as JSON.")
    var json = false

    func run(in cookbook: OpenCookbook) async throws {
        var run = ImportRun(useCase: cookbook.importRecipes, isStrict: strict)
        do {
            try await run.take(files)
        } catch {
            // What was stored until then stays, and is told.
            if !run.report.isEmpty { try show(run.report) }
            throw error
        }
        try show(run.report)
        if let failure = run.report.failure(isStrict: strict) { throw failure }
    }

    private func show(_ report: ImportReport) throws {
        if json { try Terminal.output(json: report) } else { try report.print() }
        for trouble in report.failed.prefix(Self.shown) {
            Terminal.warn("\(trouble.place.file):\(trouble.place.line): \(trouble.reason)")
        }
        let rest = report.failed.count - Self.shown
        if rest > 0 { Terminal.warn("… and \(rest) more; --json lists all") }
    }
}
