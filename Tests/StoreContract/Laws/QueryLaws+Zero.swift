#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderData
internal import LarderDomain

/// Negative zero in queries and in results of calculations, and the letters i with and without a dot.
extension QueryLaws {
    static let zero: [Law] = [
        Law(.queries, "Negative zero in a query is zero, in comparisons, lists, calculations and predicates") { trial in
            let objects = try await trial.specimensAroundZero()
            let zeros: [Double] = [-0.0, 0.0]
            let many = Set((1...400).map { Value.real(Double($0) + 0.5) })
            for column in [1, 8] {
                for make in Self.conditions(of: column, many: many) {
                    let (negative, positive) = (make(.literal(.real(zeros[0]))), make(.literal(.real(zeros[1]))))
                    let expected = objects.filter(positive.holds).map(\.id)
                    for condition in [positive, negative] {
                        let page = try await trial.store.read(
                            ReadRequest(SpecimenMapper.schema, where: condition, includesTotal: true))
                        try expect("what \(condition) finds", page.items.map(\.id), is: expected)
                        try expect("its total", page.total, is: expected.count)
                    }
                }
            }
            for zero in zeros {
                let found = try await trial.manager.read(
                    Query<Specimen>(#Predicate { $0.real == zero && !($0.real < zero) && $0.real >= zero }))
                try expect("the predicate", found.entities.map(\.real), is: objects.map(\.real).filter { $0 == 0 })
            }
        }.tests("value.1", "condition.7", "comparison.1", "condition.10"),
        Law(.order, "Negative zero in an order or a position is zero") { trial in
            let objects = try await trial.specimensAroundZero()
            let operands: [Operand] = [
                .coalesce(.column(8), .literal(.real(-0.0))), .coalesce(.column(8), .literal(.real(0))),
                .column(1),
            ]
            for operand in operands {
                for isDescending in [false, true] {
                    let order = [OrderTerm(operand, isDescending: isDescending)]
                    var request = ReadRequest(SpecimenMapper.schema, order: order, limit: 2)
                    var found: [RawID] = []
                    repeat {
                        let page = try await trial.store.read(request)
                        found += page.items.map(\.id)
                        request.after = page.next
                    } while request.after != nil && found.count < objects.count
                    request = ReadRequest(SpecimenMapper.schema, order: order)
                    let expected = request.answer(from: objects).items.map(\.id)
                    try expect("the order by \(operand)", found, is: expected)
                    for object in objects where object.real == 0 {
                        var rests: [[RawID]] = []
                        for zero in [0.0, -0.0] {
                            request.after = Place(values: [.real(zero)], id: object.id)
                            rests.append(try await trial.store.read(request).items.map(\.id))
                        }
                        request.after = Place(values: [.real(0)], id: object.id)
                        try expect("the rest", rests[0], is: request.answer(from: objects).items.map(\.id))
                        try expect("the rest after negative zero", rests[1], is: rests[0])
                    }
                }
            }
        }.tests("value.1", "request.2", "request.4"),
    ]

    static let casing: [Law] = [
        Law(.queries, "The letters i and I, with and without a dot, are different in stored and derived texts") {
            trial in
            // The lower case of İ is an i with a combining dot, and that of I is an i, in every locale.
            let names = ["I", "i", "i\u{307}", "\u{130}", "\u{131}"]
            let members = names.map { Press.member(trial.rawID(), $0) }
            _ = try await trial.store.commit(ChangeSet(inserts: members))
            for (number, name) in names.enumerated() {
                for (condition, expected) in [
                    (.compare(.column(0), .equal, .literal(.text(name))), [number]),
                    (.isIn(.column(0), [.text(name)]), [number]),
                    (.hasPrefix(.column(0), name), names.indices.filter { names[$0].utf8.starts(with: name.utf8) }),
                    (.contains(.column(0), name), names.indices.filter { names[$0].hasBytes(of: name) }),
                    (.compare(.column(0), .less, .literal(.text(name))), Array(0..<number)),
                ] as [(Condition, [Int])] {
                    let found = try await trial.store.read(ReadRequest(Press.member, where: condition)).items
                    try expect("what \(condition) finds", found.map(\.id), is: expected.map { members[$0].id })
                }
                let taken = Press.member(trial.rawID(), name)
                let found = try await duplicate(of: "a taken name") { try await trial.insert(taken) }
                try expect("its holder", found.existing, is: members[number].id)
            }
            let page = try await trial.store.read(
                ReadRequest(Press.member, order: [OrderTerm(.column(0), isDescending: true)]))
            try expect("the order", page.items.map(\.id), is: members.reversed().map(\.id))
            let genres = ["ISI", "isi", "\u{130}SI", "\u{131}s\u{131}"].map { Genre(trial.id(), $0) }
            try await trial.manager.create(contentsOf: genres)
            for (folded, expected) in [
                ("isi", ["ISI", "isi"]), ("i\u{307}si", ["\u{130}SI"]), ("\u{131}s\u{131}", ["\u{131}s\u{131}"]),
            ] {
                let found = try await trial.manager.read(Query<Genre>(#Predicate { $0.foldedName == folded }))
                try expect("the names in lower case \(folded)", found.entities.map(\.name), is: expected)
            }
        }.tests("condition.8", "commit.25"),
        Law(.queries, "A search takes i and I, with and without a dot, for one letter") { trial in
            let names = ["Isparta", "isparta", "\u{130}sparta", "\u{131}sparta", "I\u{307}SPARTA", "ISPARTA"]
            let letters = names.enumerated().map { number, name in
                number % 2 == 0
                    ? Letter(trial.id(), subject: name) : Letter(trial.id(), subject: "a \(name)", body: "in \(name)")
            }
            try await trial.manager.create(contentsOf: letters)
            // A word in subject and body has a greater rank.
            let expected = [1, 3, 5, 0, 2, 4].map { letters[$0].id }
            for name in names {
                for search in [name, String(name.unicodeScalars.prefix(5)) + "*", "\(name) \(name)"] {
                    let found = try await trial.manager.read(Query<Letter>(search: search, includesTotal: true))
                    try expect("what \(search) finds", found.entities.map(\.id), is: expected)
                    try expect("its total", found.total, is: 6)
                }
            }
        }.tests("query.1"),
    ]

    /// Conditions on a real column, as functions of a zero.
    private static func conditions(of number: Int, many: Set<Value>) -> [(Operand) -> Condition] {
        let column = Operand.column(number)
        let comparisons: [Comparison] = [.equal, .less, .greaterOrEqual]
        var conditions: [(Operand) -> Condition] = []
        for comparison in comparisons {
            conditions += [
                { .compare(column, comparison, $0) }, { .compare($0, comparison, column) },
                { .not(.compare(column, comparison, $0)) }, { .compare(.coalesce(column, $0), comparison, $0) },
                { .compare(.arithmetic(column, .multiply, .literal(.real(-1))), comparison, $0) },
                { .compare(.arithmetic($0, .multiply, column), comparison, $0) },
                { .compare(.arithmetic(column, .add, $0), comparison, $0) },
                { .compare(.arithmetic(column, .subtract, $0), comparison, column) },
                // Undefined.
                { .compare(.arithmetic(column, .divide, $0), comparison, .literal(.real(1))) },
                {
                    .compare(
                        .arithmetic(.literal(.real(1)), .divide, .arithmetic(column, .multiply, $0)), comparison, $0)
                },
            ]
        }
        func zeros(_ operand: Operand) -> Set<Value> { if case .literal(let value) = operand { [value] } else { [] } }
        conditions += [
            { .isIn(column, zeros($0)) }, { .isIn(column, zeros($0).union([.null])) },
            { .isIn(column, many.union(zeros($0))) },
            { .not(.isIn(column, many.union(zeros($0)))) },
        ]
        return conditions
    }
}

extension StorageObject {
    /// The number in the second column.
    fileprivate var real: Double { if case .real(let real) = values[1] { real } else { .nan } }
}

extension Trial {
    /// Stores specimens with numbers around zero, with ascending ids.
    fileprivate func specimensAroundZero() async throws -> [StorageObject] {
        let numbers: [Double] = [0, -1, 0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, 1.5, 0]
        let objects = try numbers.enumerated().map { number, real in
            var specimen = try specimen()
            specimen.real = real
            specimen.maybeReal = number % 3 == 2 ? nil : numbers[(number + 2) % numbers.count]
            return try SpecimenMapper.storageObject(from: specimen)
        }
        _ = try await store.commit(ChangeSet(inserts: objects))
        return objects
    }
}
