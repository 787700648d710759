internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

struct ImportReport {
    struct Place {
        let file: String
        /// The index of the file; a file may be named twice.
        let fileNumber: Int
        let position: RecipeItem.Position

        /// The place in messages: `recipes.jsonl:7`.
        var description: String { "\(file):\(position)" }

        /// The members of a JSON object that is about the place.
        func json(_ members: [String: (any JSONConvertible)?]) -> JSON {
            var members = members
            members["file"] = file
            switch position {
            case .line(let line): members["line"] = line
            case .item(let item): members["item"] = item
            }
            return .sorted(members)
        }

        func isAfter(_ other: Place) -> Bool { (fileNumber, position) > (other.fileNumber, other.position) }
    }

    /// An item of a file that could not be imported.
    struct Failure {
        let place: Place
        let reason: String

        var json: JSON { place.json(["reason": reason]) }
    }

    /// The parts of its source that a recipe omits.
    struct Note {
        let place: Place
        var notKept: [String]

        var json: JSON { place.json(["notKept": notKept]) }
    }

    private(set) var inserted = 0
    private(set) var updated = 0
    private(set) var unchanged = 0
    /// Sorted by file and position.
    private(set) var failed: [Failure] = []
    /// Properties that a recipe cannot represent, with the number of recipes that had them.
    private(set) var notKept: [String: Int] = [:]
    /// The same for each recipe, in their order.
    private(set) var notes: [Note] = []
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
            "failed": failed.map(\.json), "notes": notes.map(\.json),
        ])
    }

    mutating func note(_ outcome: ImportOutcome, _ place: Place) {
        switch outcome {
        case .inserted: inserted += 1
        case .updated: updated += 1
        case .replaced(_, let name):
            updated += 1
            note(notKept: [ImportOutcome.replacement(of: name)], place)
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

    mutating func note(notKept properties: [String], _ place: Place) {
        guard !properties.isEmpty else { return }
        for property in properties { notKept[property, default: 0] += 1 }
        // Searched from the end: the notes of the store arrive after those of the reader.
        let earlier = notes.lastIndex { !$0.place.isAfter(place) }
        if let earlier, !place.isAfter(notes[earlier].place) {
            notes[earlier].notKept += properties
        } else {
            notes.insert(Note(place: place, notKept: properties), at: earlier.map { $0 + 1 } ?? 0)
        }
    }

    mutating func notePassedOver(_ type: String) {
        passedOver[type, default: 0] += 1
    }

    /// Prints the report as text: imported recipes, and properties that were not kept.
    func print() throws {
        try Terminal.output("\(inserted) new, \(updated) updated, \(unchanged) unchanged, \(failed.count) failed")
        // The properties matter only if at least one recipe was imported.
        if takesAny, !notKept.isEmpty { try printNotKept() }
        if !passedOver.isEmpty { try Terminal.output("skipped: " + Self.list(passedOver)) }
    }

    /// Prints the properties with their counts, and then for each of several recipes.
    private func printNotKept() throws {
        try Terminal.output("not imported: " + Self.list(notKept))
        guard inserted + updated + unchanged + failed.count > 1 else { return }
        for note in notes.prefix(Self.shown) {
            let listed = note.notKept.prefix(Self.shown).joined(separator: ", ")
            let rest = note.notKept.count - Self.shown
            try Terminal.output("  \(note.place.description): \(listed)" + (rest > 0 ? ", … and \(rest) more" : ""))
        }
        let rest = notes.count - Self.shown
        if rest > 0 { try Terminal.output("  … and \(counted(rest, "recipe")) more; --json lists all") }
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

extension ImportOutcome {
    /// The note on an update of a recipe that had another name and another author.
    static func replacement(of name: String) -> String { "the stored recipe '\(name.prefix(80))' (replaced)" }
}

extension PersistencyError {
    /// The error without the entity's id, which the user has not seen yet; parts of the recipe are named.
    var reason: String {
        guard case .invalid(let field) = self else { return description }
        let part = field.entity == Recipe.entityName ? "" : "\(field.entity): "
        return "\(part)\(field.field) \(field.reason)"
    }
}
