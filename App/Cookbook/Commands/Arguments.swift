public import ArgumentParser
public import CookbookDomain
internal import LarderApp
internal import LarderDomain
public import LarderHTTP

extension RecipeSort: ExpressibleByArgument {}

extension Role: ExpressibleByArgument {}

extension OperatorPermission: ExpressibleByArgument {
    /// The help lists the permissions that a token can be restricted to.
    public static var allValueStrings: [String] {
        allCases.filter(TokenRestriction.possible.contains).map(\.rawValue)
    }
}

extension LanguageTag: ExpressibleByArgument {}

/// An instant, or a day in UTC, as users write it.
struct Instant: Equatable {
    /// The start.
    let start: Timestamp
    /// The end, exclusive; for an instant, the same as the start.
    let end: Timestamp

    private static let day: Int64 = 86_400_000_000

    /// - Throws: `ValidationError` that describes the format.
    init(_ text: String) throws {
        let day = CalendarDay(text).flatMap { Timestamp(rfc3339: "\($0)T00:00:00Z") }
        guard let start = day ?? Timestamp(rfc3339: text) else {
            throw ValidationError("Use a day (2026-03-01) or an instant (2026-03-01T18:30:00Z).")
        }
        self.start = start
        end = day.map { Timestamp(microseconds: $0.microseconds + Self.day) } ?? start
    }
}

/// A column and the text of its value, as `--where` names them.
struct ColumnValueArgument: ExpressibleByArgument {
    let column: String
    let text: String

    init?(argument: String) {
        guard let sign = argument.firstIndex(of: "="), sign > argument.startIndex else { return nil }
        (column, text) = (String(argument[..<sign]), String(argument[argument.index(after: sign)...]))
    }
}

/// The options that filter recipes.
struct FilterOptions: ParsableArguments {
    @Option(help: "Only recipes with this tag, ignoring case and diacritics.")
    var tag: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only recipes known to take less than this time.", valueName: "minutes"))
    var under: Int?

    @Option(
        help: ArgumentHelp(
            "Only recipes whose name contains this text, ignoring case and diacritics.", valueName: "text"))
    var name: String?

    func validate() throws {
        if let under, under < 1 { throw ValidationError("--under must be at least 1.") }
    }

    /// - Throws: `CommandFailure` when a tag does not exist.
    func filter(in cookbook: OpenCookbook) async throws -> RecipeFilter {
        var filter = RecipeFilter(underMinutes: under, nameContains: name)
        if let tag { filter.anyOfTags = [try await cookbook.tag(tag).id] }
        return filter
    }
}
