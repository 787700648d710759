internal import LarderData
internal import LarderDomain

/// Every operator with every pair of awkward values, at the store's port. The kit's interpreter gives the expected
/// result; another law compares the interpreter with an oracle.
extension QueryLaws {
    static let semantics: [Law] = [
        Law(.queries, "Two columns of every type can be compared, also null with null") { trial in
            let rows = try await AwkwardRows(trial)
            for (one, other) in [(0, 7), (1, 8), (2, 9), (4, 11), (6, 13)] + [(7, 7), (9, 9)] {
                for comparison in AwkwardRows.comparisons {
                    try await rows.ask(.compare(.column(one), comparison, .column(other)))
                    try await rows.ask(.compare(.column(other), comparison, .column(one)))
                }
                try await rows.ask(.compare(.coalesce(.column(other), .column(one)), .equal, .column(one)))
            }
            for column in [7, 8, 9, 13, 14] {
                for comparison in AwkwardRows.comparisons {
                    try await rows.ask(.compare(.column(column), comparison, .literal(.null)))
                    try await rows.ask(.compare(.literal(.null), comparison, .column(column)))
                }
            }
            // Two columns that are null in most rows.
            for (one, other) in [(10, 10), (12, 12), (14, 14)] {
                try await rows.ask(.compare(.column(one), .equal, .column(other)))
                try await rows.ask(.compare(.column(one), .notEqual, .column(other)))
            }
        }.tests(
            "comparison.1", "comparison.2", "comparison.3", "comparison.4", "comparison.5", "comparison.6",
            "condition.2", "condition.3", "condition.6", "condition.9"),
        Law(.queries, "Integer operations that overflow or divide by zero have no value") {
            trial in
            let rows = try await AwkwardRows(trial)
            for operation in [Arithmetic.add, .subtract, .multiply, .divide, .remainder] {
                for (one, other) in [
                    (Operand.column(0), Operand.column(7)), (.column(7), .column(0)),
                    (.column(0), .literal(.integer(-1))),
                    (.literal(.integer(.min)), .column(0)), (.column(0), .literal(.integer(0))),
                ] {
                    let operand = Operand.arithmetic(one, operation, other)
                    for comparison in [Comparison.equal, .notEqual, .less, .greaterOrEqual] {
                        try await rows.ask(.compare(operand, comparison, .literal(.integer(0))))
                    }
                    try await rows.ask(.compare(.literal(.integer(.max)), .greaterOrEqual, operand))
                    try await rows.ask(.compare(operand, .notEqual, .column(7)))
                    try await rows.ask(.isIn(operand, [.integer(0), .integer(.min), .integer(-1), .null]))
                    let nested = Operand.arithmetic(operand, .subtract, .literal(.integer(1)))
                    try await rows.ask(.compare(nested, .less, .literal(.integer(5))))
                    let filled = Operand.coalesce(operand, .literal(.integer(0)))
                    try await rows.ask(.compare(filled, .equal, .literal(.integer(0))))
                }
            }
        }.tests(
            "condition.4", "condition.5", "operand.9", "operand.10", "operand.13", "operand.14", "operand.15",
            "operand.16", "operand.17", "operand.18", "operand.19", "operand.20"),
        Law(.queries, "Real operations overflow to infinity, and have no value if they divide by zero") { trial in
            let rows = try await AwkwardRows(trial)
            for operation in [Arithmetic.add, .subtract, .multiply, .divide] {
                for (one, other) in [
                    (Operand.column(1), Operand.column(8)), (.column(8), .column(1)), (.column(1), .literal(.real(0))),
                    (.literal(.real(0)), .column(1)), (.column(1), .literal(.real(1e308))),
                ] {
                    let operand = Operand.arithmetic(one, operation, other)
                    for comparison in AwkwardRows.comparisons {
                        try await rows.ask(.compare(operand, comparison, .literal(.real(0.25))))
                    }
                    // Infinity minus infinity is not a number.
                    let twice = Operand.arithmetic(operand, .multiply, .literal(.real(1e308)))
                    let nothing = Operand.arithmetic(twice, .subtract, twice)
                    try await rows.ask(.compare(nothing, .equal, .literal(.real(0))))
                    try await rows.ask(.compare(nothing, .notEqual, .literal(.real(0))))
                }
            }
        }.tests("condition.5", "operand.11", "operand.12", "operand.14"),
        Law(.queries, "Parts of awkward texts are compared by bytes, not by characters, case or patterns") { trial in
            let rows = try await AwkwardRows(trial)
            for part in AwkwardRows.texts {
                for column in [2, 9] {
                    try await rows.ask(.contains(.column(column), part))
                    try await rows.ask(.hasPrefix(.column(column), part))
                }
                try await rows.ask(.contains(.coalesce(.column(9), .column(2)), part))
                for comparison in AwkwardRows.comparisons {
                    try await rows.ask(.compare(.column(9), comparison, .literal(.text(part))))
                }
            }
        }.tests("condition.8", "condition.12", "condition.13", "condition.14"),
        Law(.queries, "Lists may be empty, contain null, and contain a value more than once") { trial in
            let rows = try await AwkwardRows(trial)
            let lists: [[Value]] = [
                [], [.null], [.null, .null], [.integer(0)], [.null, .integer(0), .integer(0)],
                [.integer(.max), .integer(.min)],
            ]
            for list in lists {
                for operand in [Operand.column(0), .column(7), .coalesce(.column(7), .literal(.null))] {
                    try await rows.ask(.isIn(operand, Set(list)))
                }
            }
            try await rows.ask(.isIn(.column(9), [.text(""), .null]))
            for condition in [Condition.and([]), .or([]), .and([.or([]), .and([])]), .not(.and([.and([])]))] {
                try await rows.ask(condition)
                try await rows.ask(.and([condition, .compare(.column(7), .equal, .literal(.null))]))
                try await rows.ask(.or([condition, .compare(.column(7), .equal, .literal(.null))]))
            }
        }.tests("condition.10", "condition.11", "condition.17", "condition.19"),
        Law(.queries, "A coalesce has no value only if evaluating its first operand has none") { trial in
            let rows = try await AwkwardRows(trial)
            // Each operand is null, undefined, or has a value, in different rows.
            let quotient = Operand.arithmetic(.column(0), .divide, .column(7))
            let sum = Operand.arithmetic(.column(7), .add, .literal(.integer(.max)))
            let never = Operand.arithmetic(.column(0), .remainder, .literal(.integer(0)))
            let operands = [.column(0), .column(7), quotient, sum, never, .literal(.null), .literal(.integer(1))]
            for one in operands {
                for other in operands {
                    let operand = Operand.coalesce(one, other)
                    try await rows.ask(.compare(operand, .notEqual, .literal(.integer(0))))
                    try await rows.ask(.compare(.literal(.integer(0)), .less, operand))
                    try await rows.ask(.isIn(operand, [.integer(1), .null, .integer(.min)]))
                    let nested = Operand.coalesce(.coalesce(.column(7), one), .coalesce(other, quotient))
                    try await rows.ask(.compare(nested, .equal, .column(0)))
                }
            }
        }.tests("operand.7", "operand.8"),
        Law(.order, "The replacement of a missing value is its sort key, in both directions, page by page") { trial in
            let rows = try await AwkwardRows(trial)
            let operands: [Operand] = [
                .coalesce(.column(7), .column(0)), .coalesce(.column(7), .literal(.integer(1))),
                .coalesce(.column(9), .column(2)), .coalesce(.column(8), .literal(.real(-1))),
                .coalesce(.column(14), .id), .coalesce(.column(7), .coalesce(.column(7), .column(0))),
                .coalesce(.column(10), .literal(.null)), .column(8), .column(9), .column(13), .column(6),
            ]
            for operand in operands {
                for isDescending in [false, true] {
                    let order = [OrderTerm(operand, isDescending: isDescending)]
                    try await rows.ask(ReadRequest(SpecimenMapper.schema, order: order))
                    let pages = ReadRequest(
                        SpecimenMapper.schema, order: [OrderTerm(.column(7), isDescending: !isDescending)] + order,
                        limit: 30, includesTotal: true)
                    try await rows.ask(pages)
                }
            }
        }.tests("request.16", "request.17", "request.18"),
    ]
}

/// Specimens with each pair of awkward values in two columns, one of which is nullable.
private struct AwkwardRows {
    static let comparisons: [Comparison] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
    static let integers: [Int64] = [.min, .min + 1, -2, -1, 0, 1, 3, .max]
    static let reals = [-Double.greatestFiniteMagnitude, -0.5, 0, .leastNonzeroMagnitude, 0.25, 2, 1e308]
    static let texts = [
        "", "a", "A", "ab", "\u{E4}", "q", "q\u{301}", "q\u{301}a", "\r\n", "\n", "\r", "\u{1F1E8}\u{1F1ED}",
        "\u{1F1E8}",
        "\u{1F468}\u{200D}\u{1F469}", "\u{1F468}", "\u{AC00}", "\u{AC01}", "\u{DF}", "ss", "%", "a%b", "_", "\u{FFFF}",
        "\u{10000}",
    ]

    private let trial: Trial
    private let objects: [StorageObject]

    init(_ trial: Trial) async throws {
        self.trial = trial
        func pair<Item>(_ number: Int, _ items: [Item]) -> (Item, Item?) {
            let other = number / items.count % (items.count + 1)
            return (items[number % items.count], other == items.count ? nil : items[other])
        }
        objects = try (0..<160).map { number in
            var specimen = try Specimen(id: trial.id(), day: trial.day())
            (specimen.integer, specimen.maybeInteger) = pair(number, Self.integers)
            (specimen.real, specimen.maybeReal) = pair(number, Self.reals)
            // Not all pairs of texts: each text with itself, with one of its prefixes, and with null.
            (specimen.text, specimen.maybeText) = pair(number, Self.texts)
            if number % 7 == 0 { specimen.maybeText = specimen.text }
            if number % 11 == 0 { specimen.maybeText = nil }
            specimen.instant = Timestamp(microseconds: Int64(number % 3))
            specimen.maybeInstant = number % 4 == 3 ? nil : Timestamp(microseconds: Int64(number % 4))
            specimen.bytes = [[], [0], [0, 0], [255]][number % 4]
            specimen.maybeBytes = [nil, [], [0], [0, 0], [255]][number % 5]
            specimen.maybeFlag = [nil, true, false][number % 3]
            specimen.maybeID = number % 3 == 0 ? specimen.id.rawValue : nil
            var object = try SpecimenMapper.storageObject(from: specimen)
            object.version = 1
            return object
        }
        _ = try await trial.store.commit(ChangeSet(inserts: objects))
    }

    /// Queries a condition and its negation, which together find each row exactly once.
    func ask(_ condition: Condition) async throws {
        let (expected, others) = objects.reduce(into: ([RawID](), [RawID]())) { lists, object in
            if condition.holds(for: object) { lists.0.append(object.id) } else { lists.1.append(object.id) }
        }
        let found = try await ids(condition)
        guard found == expected else { throw LawBroken(difference("\(condition)", found, expected)) }
        let rest = try await ids(.not(condition))
        guard rest == others else { throw LawBroken(difference("not \(condition)", rest, others)) }
    }

    /// Reads all pages.
    func ask(_ request: ReadRequest) async throws {
        var request = request
        repeat {
            let expected = request.answer(from: objects)
            let found = try await trial.store.read(request)
            try expect("the page by \(request.order)", found.items.map(\.id), is: expected.items.map(\.id))
            try expect("where it ends", found.next, is: expected.next)
            request.after = found.next
        } while request.after != nil
    }

    private func ids(_ condition: Condition) async throws -> [RawID] {
        let request = ReadRequest(SpecimenMapper.schema, where: condition)
        return try await trial.store.read(request) { (object) throws(PersistencyError) in object.id }.items
    }

    private func difference(_ what: String, _ found: [RawID], _ expected: [RawID]) -> String {
        let wrong = objects.first { found.contains($0.id) != expected.contains($0.id) }
        return "\(what) finds \(found.count) rows instead of \(expected.count), and is wrong for \(wrong?.values ?? [])"
    }
}
