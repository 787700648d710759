internal import ArgumentParser
internal import CookbookDomain
internal import LarderApp
internal import LarderData
internal import LarderDomain

struct ListCommand: ReadingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists recipes, optionally in pages.")
    static let httpWay = "GET /v1/recipes"
    @OptionGroup var options: StoreOptions
    @OptionGroup var filter: FilterOptions

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "Only recipes with this value in a column of the store. Repeat it for further columns.",
            valueName: "column=text"))
    var columnValues: [ColumnValueArgument] = []

    @Option(
        help: ArgumentHelp(
            "Only recipes with these words in name, ingredients or steps, the best first; 'choc*' is a prefix.",
            valueName: "words"))
    var search: String?

    @Option(
        help: "The order, 'name' by default; 'stored' is by id: the order of creation unless the clock was set back.")
    var sort: RecipeSort?

    @Option(parsing: .unconditional, help: ArgumentHelp("The maximum number of recipes.", valueName: "count"))
    var limit: Int?

    @Option(help: ArgumentHelp("Continue after a page of the same filter and order.", valueName: "cursor"))
    var after: String?

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
        if search != nil, sort != nil { throw ValidationError("--search has its own order: omit --sort.") }
    }

    func run(in cookbook: OpenCookbook) async throws {
        let request = RecipeListRequest(
            try await filter.filter(in: cookbook), search: search,
            predicates: columnValues.map { Recipe.predicate(column: $0.column, equals: $0.text) },
            sort: sort ?? .name, limit: limit, after: after.map(Cursor.init(rawValue:)), includesTotal: true)
        let page: ReadModelPage<RecipeLine>
        do {
            page = try await cookbook.recipes.lines(request)
        } catch {
            guard case .unsupportedQuery = error, after != nil else { throw error }
            throw CommandFailure(
                .badInput, "--after is not a cursor of this filter and order",
                advice: "Copy it from the previous page, or omit it to start with the first page.")
        }
        if json { return try Terminal.output(json: JSON.view(page)) }
        var table = TextTable([
            .init("NAME"), .init("MINUTES", isNumber: true), .init("RATING"), .init("IDENTIFIER", isKey: true),
        ])
        for recipe in page.items {
            table.add([
                recipe.name, recipe.totalMinutes.map(String.init) ?? "", String(repeating: "*", count: recipe.rating),
                recipe.outsideIdentifier,
            ])
        }
        try Terminal.output(table)
        Terminal.warn("\(page.items.count) of \(page.total ?? page.items.count) recipes")
        if let next = page.next { Terminal.warn("For the next page, add --after \(next.rawValue)") }
    }
}
