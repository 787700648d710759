internal import ArgumentParser
internal import CookbookDomain
internal import LarderApp

struct StatsCommand: ReadingCommand {
    static let configuration = CommandConfiguration(commandName: "stats", abstract: "Prints counts.")
    static let httpWay = "GET /v1/recipes?total=true"
    @OptionGroup var options: StoreOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run(in cookbook: OpenCookbook) async throws {
        let counts = try await cookbook.countCookbook.execute()
        let all = [
            ("recipes", counts.recipes), ("ingredients", counts.ingredients), ("steps", counts.steps),
            ("tags", counts.tags), ("rated", counts.rated), ("completed", counts.completed), ("photos", counts.photos),
        ]
        if json { return try Terminal.output(json: JSON.sorted(.init(uniqueKeysWithValues: all))) }
        var table = TextTable([.init("WHAT"), .init("COUNT", isNumber: true)])
        for (what, count) in all { table.add([what == "completed" ? "cooked" : what, String(count)]) }
        try Terminal.output(table)
    }
}
