internal import ArgumentParser
internal import CookbookDomain

/// The options that say which recipes.
struct FilterOptions: ParsableArguments {
    @Option(help: "Only recipes with this tag, in any case.")
    var tag: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only recipes known to take less than so many minutes.", valueName: "minutes"))
    var under: Int?

    @Option(help: ArgumentHelp("Only recipes whose name contains this text, in any case.", valueName: "text"))
    var name: String?

    func validate() throws {
        if let under, under < 1 { throw ValidationError("--under must be at least 1.") }
    }

    /// - Throws: `CommandFailure` when there is no such tag.
    func filter(in cookbook: OpenCookbook) async throws -> RecipeFilter {
        var filter = RecipeFilter(underMinutes: under, nameContains: name)
        if let tag { filter.anyOfTags = try await cookbook.tagSpellings(of: tag).map(\.id) }
        return filter
    }
}
