internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

struct ImportReport {
    struct Place {
        let file: String
        /// Which of the files that is; one may be named twice.
        let fileNumber: Int
        let line: Int

        func isAfter(_ other: Place) -> Bool { (fileNumber, line) > (other.fileNumber, other.line) }
    }

    /// Something in a file that could not be imported.
    struct Failure {
        let place: Place
        let reason: String
    }

    private(set) var inserted = 0
    private(set) var updated = 0
    private(set) var unchanged = 0
    /// In the order of files and lines.
    private(set) var failed: [Failure] = []
    /// Properties that a recipe has no place for, with the number of recipes that had them.
    private(set) var notKept: [String: Int] = [:]
    /// Types of things in graphs that are no recipes, with their number.
    private(set) var passedOver: [String: Int] = [:]
    /// How many of the failures are about what the one who asks may do.
    private var forbidden = 0

    /// Whether nothing became of anything.
    var isEmpty: Bool { inserted + updated + unchanged == 0 && failed.isEmpty }

    /// How many properties or types are told to a person.
    private static let shown = 20

    var json: JSON {
        func counts(_ counts: [String: Int]) -> JSON { .sorted(counts) }
        return .sorted([
            "inserted": inserted, "updated": updated, "unchanged": unchanged, "notKept": counts(notKept),
            "passedOver": counts(passedOver),
            "failed": failed.map {
                JSON.sorted(["file": $0.place.file, "line": $0.place.line, "reason": $0.reason])
            },
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
        // Searched from the end: what a file says is known in its order, and only what the store says comes later.
        let earlier = failed.lastIndex { !$0.place.isAfter(place) }
        failed.insert(Failure(place: place, reason: reason), at: earlier.map { $0 + 1 } ?? 0)
    }

    mutating func note(notKept properties: [String]) {
        for property in Set(properties) { notKept[property, default: 0] += 1 }
    }

    mutating func notePassedOver(_ type: String) {
        passedOver[type, default: 0] += 1
    }

    /// For a person: what went in, and what had no place.
    func print() throws {
        try Terminal.output("\(inserted) new, \(updated) updated, \(unchanged) unchanged, \(failed.count) failed")
        // Where nothing was taken, there is nothing to say of its parts.
        if takesAny, !notKept.isEmpty { try Terminal.output("not kept: " + Self.list(notKept)) }
        if !passedOver.isEmpty { try Terminal.output("passed over: " + Self.list(passedOver)) }
    }

    private var takesAny: Bool { inserted + updated + unchanged > 0 }

    /// How an import ends that not all went into; `nil` when all did.
    func failure(isStrict: Bool) -> CommandFailure? {
        if failed.isEmpty { return nil }
        if failed.count == forbidden {
            return CommandFailure(
                .forbidden, "\(counted(forbidden, "item")) not imported", advice: "Import as a cook or an admin.")
        }
        return CommandFailure(
            .badInput, failureSummary(isStrict: isStrict),
            advice: "Mend it and import again; what is stored already stays as it is.")
    }

    private func failureSummary(isStrict: Bool) -> String {
        let items = failed.count == 1 ? "one item is bad" : "\(failed.count) items are bad"
        if isStrict { return "\(items), so that nothing was imported" }
        return takesAny ? "\(items); all others were imported" : "nothing was imported: \(items)"
    }

    private static func list(_ counts: [String: Int]) -> String {
        let listed = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) (\($0.value))" }
        let rest = listed.count - shown
        return listed.prefix(shown).joined(separator: ", ") + (rest > 0 ? ", … and \(rest) more" : "")
    }
}

extension PersistencyError {
    /// What is wrong, without the id of something that nobody has seen yet; named where it is not the recipe itself.
    var reason: String {
        guard case .invalid(let field) = self else { return description }
        let part = field.entity == Recipe.entityName ? "" : "\(field.entity): "
        return "\(part)\(field.field) \(field.reason)"
    }
}
