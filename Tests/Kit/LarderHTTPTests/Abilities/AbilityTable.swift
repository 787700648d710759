/// The table of the page: a row for each ability, a column for each store.
struct AbilityTable {
    private let before: String
    private let after: String
    private var columns: [AbilityStore: [String: String]] = [:]
    private static let markers = ("<!-- abilities -->\n", "<!-- end -->")

    /// Reads the table of a page between its markers.
    init(_ page: String) {
        let start = page.ranges(of: Self.markers.0).first?.upperBound ?? page.endIndex
        let end = page[start...].ranges(of: Self.markers.1).first?.lowerBound ?? page.endIndex
        (before, after) = (String(page[..<start]), String(page[end...]))
        for line in page[start..<end].split(separator: "\n") {
            let cells = line.split(separator: "|").map { $0.dropFirst().dropLast() }.map(String.init)
            guard cells.count == AbilityStore.allCases.count + 1 else { continue }
            for (store, cell) in zip(AbilityStore.allCases, cells.dropFirst()) {
                columns[store, default: [:]][cells[0]] = cell
            }
        }
        let names = Set(Ability.groups.flatMap(\.abilities).map(\.name))
        columns = columns.mapValues { $0.filter { names.contains($0.key) } }
    }

    subscript(store: AbilityStore) -> [String: String] {
        get { columns[store] ?? [:] }
        set { columns[store] = newValue }
    }

    /// The page with the table.
    var text: String {
        var text = before
        for group in Ability.groups {
            let titles = AbilityStore.allCases.map(\.title).joined(separator: " | ")
            let rules = AbilityStore.allCases.map { _ in "---|" }.joined()
            text += "\n| \(group.title) | \(titles) |\n|---|\(rules)\n"
            for ability in group.abilities {
                let cells = AbilityStore.allCases.map { self[$0][ability.name] ?? "?" }.joined(separator: " | ")
                text += "| \(ability.name) | \(cells) |\n"
            }
        }
        return text + "\n" + after
    }
}
