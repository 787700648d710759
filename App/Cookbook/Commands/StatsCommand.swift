internal import ArgumentParser
internal import CookbookDomain
internal import LarderApp

/// `larder stats`
struct StatsCommand: ReadingCommand {
    private struct View: Encodable {
        let recipes, ingredients, steps, tags, rated, completed, photos: Int

        init(_ counts: CookbookCounts) {
            (recipes, ingredients, steps) = (counts.recipes, counts.ingredients, counts.steps)
            (tags, rated, completed, photos) = (counts.tags, counts.rated, counts.completed, counts.photos)
        }
    }

    static let configuration = CommandConfiguration(commandName: "stats", abstract: "Says how much there is.")

    static let httpWay = "GET /v1/recipes?total=true"

    @OptionGroup var options: StoreOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run(in cookbook: OpenCookbook) async throws {
        let counts = try await cookbook.countCookbook.execute()
        if json { return try Terminal.output(json: View(counts)) }
        var table = TextTable([.init("WHAT"), .init("COUNT", isNumber: true)])
        for (what, count) in [
            ("recipes", counts.recipes), ("ingredients", counts.ingredients), ("steps", counts.steps),
            ("tags", counts.tags), ("rated", counts.rated), ("cooked", counts.completed), ("photos", counts.photos),
        ] { table.add([what, String(count)]) }
        try Terminal.output(table)
    }
}
