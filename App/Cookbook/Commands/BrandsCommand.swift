internal import ArgumentParser
internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

struct BrandsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "brands", abstract: "Lists, adds, and clears the brands of a language.",
        subcommands: [List.self, Add.self, Clear.self], defaultSubcommand: List.self)

    struct List: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists brands by language and name.")
        static let httpWay = "GET /v1/brands"
        @OptionGroup var options: StoreOptions

        @Option(help: ArgumentHelp("Only brands of this language: de, pt-br.", valueName: "tag"))
        var language: LanguageTag?

        @Flag(help: "Print JSON.")
        var json = false

        func run(in cookbook: OpenCookbook) async throws {
            let brands =
                if let language {
                    try await cookbook.brands.inLanguage(language).map(\.entity)
                } else {
                    try await cookbook.brands.read(Query(sort: [Sort(\.languageText), Sort(\.name.folded)])).entities
                }
            try Terminal.output(
                brands, asJSON: json, [.init("BRAND", isKey: true), .init("LANGUAGE"), .init("KEYWORDS")],
                row: { [$0.name, $0.language.rawValue, $0.keywords.joined(separator: ", ")] }, json: JSON.view)
        }
    }

    struct Add: CookbookCommand {
        static let configuration = CommandConfiguration(commandName: "add", abstract: "Adds a brand to a language.")
        static let httpWay = "POST /v1/brands"
        @OptionGroup var options: StoreOptions

        @Argument(help: "The name, unique in the language, ignoring case and diacritics.")
        var name: String

        @Option(help: ArgumentHelp("The language: de, pt-br.", valueName: "tag"))
        var language: LanguageTag

        @Option(help: ArgumentHelp("A keyword for searches; may be repeated.", valueName: "word"))
        var keyword: [String] = []

        static var fields: [String: String] { ["name": "<name>", "keywords": "--keyword"] }

        func run(in cookbook: OpenCookbook) async throws {
            let brand = try Brand(id: cookbook.ids.next(), name: name, keywords: keyword, language: language)
            do {
                try await cookbook.brands.create(brand)
                try Terminal.output("\(name) is a brand in \(language)")
            } catch PersistencyError.duplicate {
                throw CommandFailure(
                    .conflict, "a brand '\(name)' already exists in \(language)",
                    advice: "See 'larder brands --language \(language)' for a list.")
            }
        }
    }

    struct Clear: CookbookCommand {
        static let configuration = CommandConfiguration(
            commandName: "clear", abstract: "Deletes all brands of a language, and removes them from ingredients.")
        static let httpWay = "DELETE /v1/brands/{id}"
        @OptionGroup var options: StoreOptions

        @Argument(help: "The language: de, pt-br.")
        var language: LanguageTag

        func run(in cookbook: OpenCookbook) async throws {
            let count = try await cookbook.clearBrands.execute(.init(language: language))
            try Terminal.output("\(counted(count, "brand")) of \(language) deleted")
        }
    }
}
