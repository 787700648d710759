internal import ArgumentParser
internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

struct TagsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tags", abstract: "Lists, renames, and merges tags.",
        subcommands: [List.self, Rename.self, Merge.self], defaultSubcommand: List.self)

    struct List: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists tags with the number of their recipes.")
        static let httpWay = "GET /v1/tags"
        @OptionGroup var options: StoreOptions

        @Flag(help: "Print JSON.")
        var json = false

        func run(in cookbook: OpenCookbook) async throws {
            let counts = try await cookbook.tags.withRecipeCounts()
            try Terminal.output(
                counts, asJSON: json, [.init("TAG", isKey: true), .init("RECIPES", isNumber: true)],
                row: { [$0.tag.name, String($0.recipes)] },
                json: { JSON.sorted(["name": $0.tag.name, "recipes": $0.recipes]) })
        }
    }
}

extension TagsCommand {
    struct Rename: CookbookCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename", abstract: "Renames a tag in all its recipes.")
        static let httpWay = "PATCH /v1/tags/{id}"
        @OptionGroup var options: StoreOptions

        @Argument(help: "The tag.")
        var tag: String

        @Argument(help: "The new name.")
        var name: String

        static var fields: [String: String] { ["name": "<name>"] }

        func run(in cookbook: OpenCookbook) async throws {
            let tag = try await cookbook.tag(tag)
            do {
                let saved = try await cookbook.renameTag.execute(.init(tag: tag.id, name: name))
                try Terminal.output("\(tag.name) is now \(saved.stored.name)")
            } catch PersistencyError.duplicate {
                throw CommandFailure(
                    .conflict, "a tag '\(name)' already exists",
                    advice: "To merge them: larder tags merge '\(tag.name)' '\(name)'")
            }
        }
    }

    struct Merge: CookbookCommand {
        static let configuration = CommandConfiguration(
            commandName: "merge",
            abstract: "Merges two tags: recipes with either get the second.")
        static let httpWay = "POST /v1/tags/merge"
        @OptionGroup var options: StoreOptions

        @Argument(help: "The tag to remove.")
        var source: String

        @Argument(help: "The tag to keep.")
        var target: String

        func run(in cookbook: OpenCookbook) async throws {
            let (source, target) = (try await cookbook.tag(source), try await cookbook.tag(target))
            let count = try await cookbook.mergeTags.execute(.init(source.id, into: target.id))
            try Terminal.output("\(source.name) is merged into \(target.name); \(counted(count, "recipe")) changed")
        }
    }
}
