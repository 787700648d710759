/// The number of answered queries for each cell.
struct Coverage: Sendable {
    private var counts: [Cell: Int] = [:]

    mutating func count(_ cells: [Cell]) {
        for cell in cells { counts[cell, default: 0] += 1 }
    }

    mutating func add(_ other: Coverage) { counts.merge(other.counts) { $0 + $1 } }

    /// The count of the least covered cell.
    var minimum: Int { Cell.all.map { counts[$0] ?? 0 }.min() ?? 0 }
}

extension Coverage: CustomStringConvertible {
    /// A line for each operator, a column for each kind of value. A field contains the counts for no nil, nil in the
    /// rows, nil in the operand, and nil in both. `-` marks combinations without meaning.
    var description: String {
        let head = ["nil: -/rows/operand/both"] + PlainKind.allCases.map(\.rawValue)
        let lines = Operator.all.map { name in
            [name.description]
                + PlainKind.allCases.map { kind in
                    let cells = Missing.allCases.map { Cell(operator: name, kind: kind, missing: $0) }
                    return cells.map(text).allSatisfy { $0 == "-" } ? "-" : cells.map(text).joined(separator: "/")
                }
        }
        let table = [head] + lines
        let widths = head.indices.map { column in table.map { $0[column].count }.max() ?? 0 }
        return table.map { line in
            zip(line, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    private static let possible = Set(Cell.all)

    private func text(_ cell: Cell) -> String {
        Self.possible.contains(cell) ? "\(counts[cell] ?? 0)" : "-"
    }
}
