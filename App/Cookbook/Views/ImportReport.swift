internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

struct ImportReport {
    struct Place {
        let file: String
        /// The index of the file; a file may be named twice.
        let fileNumber: Int
        let position: RecipeItem.Position

        func isAfter(_ other: Place) -> Bool { (fileNumber, position) > (other.fileNumber, other.position) }
    }

    /// An item of a file that could not be imported.
    struct Failure {
        let place: Place
        let reason: String

        var json: JSON {
            switch place.position {
            case .line(let line): .sorted(["file": place.file, "line": line, "reason": reason])
            case .item(let item): .sorted(["file": place.file, "item": item, "reason": reason])
            }
        }
    }

    private(set) var inserted = 0
    private(set) var updated = 0
    private(set) var unchanged = 0
    /// Sorted by file and position.
    private(set) var failed: [Failure] = []
    /// Properties that a recipe cannot represent, with the number of recipes that had them.
    private(set) var notKept: [String: Int] = [:]
    /// Types in graphs other than recipes, with their counts.
    private(set) var passedOver: [String: Int] = [:]
    /// The number of failures because of missing permissions.
    private var forbidden = 0

    /// Whether there are neither imported nor failed items.
    var isEmpty: Bool { inserted + updated + unchanged == 0 && failed.isEmpty }

    /// The maximum number of properties or types in the text.
    private static let shown = 20

    var json: JSON {
        func counts(_ counts: [String: Int]) -> JSON { .sorted(counts) }
        return .sorted([
            "inserted": inserted, "updated": updated, "unchanged": unchanged, "notKept": counts(notKept),
            "passedOver": counts(passedOver),
            "failed": failed.map(\.json),
        ])
    }

    mutating func note(_ outcome: ImportOutcome, _ place: Place) {
        switch outcome {
        case .inserted: inserted += 1
        case .updated: updated += 1
        case .unchanged: unchanged += 1
        case .failed(let error):
            noteFailure(place, error.reason)
            if case .forbidden = error { forbidden += 1 }
        }
    }

    mutating func noteFailure(_ place: Place, _ reason: String) {
        // Searched from the end: parser errors arrive in order, and only errors of the store arrive later.
        let earlier = failed.lastIndex { !$0.place.isAfter(place) }
        failed.insert(Failure(place: place, reason: reason), at: earlier.map { $0 + 1 } ?? 0)
    }

    mutating func note(notKept properties: [String]) {
        for property in Set(properties) { notKept[property, default: 0] += 1 }
    }

    mutating func notePassedOver(_ type: String) {
        passedOver[type, default: 0] += 1
    }

    /// Prints the report as text: imported recipes, and properties that were not kept.
    func print() throws {
        try Terminal.output("\(inserted) new, \(updated) updated, \(unchanged) unchanged, \(failed.count) failed")
        // The properties matter only if at least one recipe was imported.
        if takesAny, !notKept.isEmpty { try Terminal.output("not imported: " + Self.list(notKept)) }
        if !passedOver.isEmpty { try Terminal.output("skipped: " + Self.list(passedOver)) }
    }

    private var takesAny: Bool { inserted + updated + unchanged > 0 }

    /// The failure of an incomplete import; `nil` if all items were imported.
    func failure(isStrict: Bool) -> CommandFailure? {
        if failed.isEmpty { return nil }
        if failed.count == forbidden {
            return CommandFailure(
                .forbidden, "\(counted(forbidden, "item")) not imported", advice: "Import as a cook or an admin.")
        }
        return CommandFailure(
            .badInput, failureSummary(isStrict: isStrict),
            advice: "Correct it and import again; recipes that are already stored stay unchanged.")
    }

    private func failureSummary(isStrict: Bool) -> String {
        let items = failed.count == 1 ? "one item failed" : "\(failed.count) items failed"
        if isStrict { return "\(items), so nothing was imported" }
        return takesAny ? "\(items); all others were imported" : "nothing was imported: \(items)"
    }

    private static func list(_ counts: [String: Int]) -> String {
        let listed = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) (\($0.value))" }
        let rest = listed.count - shown
        return listed.prefix(shown).joined(separator: ", ") + (rest > 0 ? ", … and \(rest) more" : "")
    }
}

extension PersistencyError {
    /// The error without the entity's id, which the user has not seen yet; parts of the recipe are named.
    var reason: String {
        guard case .invalid(let field) = self else { return description }
        let part = field.entity == Recipe.entityName ? "" : "\(field.entity): "
        return "\(part)\(field.field) \(field.reason)"
    }
}
