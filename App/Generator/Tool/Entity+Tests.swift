/// The tests.
extension Entity {
    func tests(_ prefix: String) -> String {
        let targets = fields.filter { $0.target != nil && $0.target != name.type }
        let varied = fields.filter { $0.isUnique || $0 == sortField }
        let total = "manager.read(Query<\(name.type)>(limit: 1, includesTotal: true)).total"
        let isNumbered = varied.contains { $0.target == nil }
        let number = isNumbered ? "        let number = try await \(total) ?? 0\n" : ""
        let examples = targets.map { "        \($0.example)\n" }.joined()
        let arguments =
            ["id: ids.next()"]
            + fields.map { "\($0.name): \($0.exampleValue(in: name.type, isVaried: varied.contains($0)))" }
        let options = fields.filter { $0.isOption && !($0.target == name.type) }.flatMap(\.exampleOptions)
        let words = ["\"\(name.collection)\"", "\"add\""] + options
        return """
            import HTTPTypes
            import LarderData
            import LarderDomain
            import LarderHTTP
            import LarderTesting
            import \(prefix)Domain
            import Testing

            @testable import \(prefix)App
            \(shadows(prefix))
            extension \(name.type) {
                /// Stores a valid \(name.text), with everything to which it refers.
                static func example(
                    in manager: any PersistencyManager, _ ids: any IDGenerator
                ) async throws -> Stored<\(name.type)> {
            \(number)\(examples)\
            \(Self.call("let \(name.variable) = try \(name.type)", arguments, indent: 8))
                    return try await manager.create(\(name.variable))
                }
            }

            /// \(name.texts.capitalizedFirst), in the stores, over HTTP, and at the command line.
            struct \(name.type)Tests {
                private static let path = "/v1/\(name.collection)"

                @Test(arguments: StoreKind.allCases)
                func `\(name.one) keeps its values in each store`(kind: StoreKind) async throws {
                    let mappers = try MapperSet(Entities.mappers)
                    try await kind.withStore(mappers.schemas) { store in
                        let manager = StoreManager(store, mappers: mappers)
                        let example = try await \(name.type).example(in: manager, CountingIDs())
                        #expect(try await manager.read(example.id) == example)
                        #expect(try await manager.save(example.entity).outcome == .unchanged)
                        try await manager.delete(example.id)
                        #expect(try await manager.read(example.id) == nil)
                    }
                }

            \(testsOverHTTP)\
                @Test func `commands add, list and remove \(name.texts)`() async throws {
                    let program = try TestProgram()
            \(preparation)\
            \(Self.call("let added = try program.run", words, indent: 8))
                    #expect(added.errors == "")
                    let id = String(added.output.dropLast())
                    #expect(try program.run("\(name.collection)").output.hasPrefix(id))
                    #expect(try program.run("\(name.collection)", "remove", id).status == 0)
                    #expect(try program.run("\(name.collection)").output == "")
                }
            }

            """
    }

    /// Names of `Testing` that an entity may have, too.
    private static let namesOfTesting: Set = ["Attachment", "Bug", "Comment", "Confirmation", "Issue", "Tag", "Trait"]

    /// A declaration of the test's module precedes imported ones.
    private func shadows(_ prefix: String) -> String {
        ([name] + objects.map(\.name)).map(\.type).filter(Self.namesOfTesting.contains).map { type in
            "\n/// Not `Testing.\(type)`.\ntypealias \(type) = \(prefix)Domain.\(type)\n"
        }.joined()
    }

    /// The statements that store the entities to which the options refer.
    private var preparation: String {
        let targets = fields.filter { $0.isOption && $0.target != nil && $0.target != name.type }
        guard !targets.isEmpty else { return "" }
        let lines = targets.map { "            \($0.example)\n" }.joined()
        let names = targets.map { "\($0.name)Example.id" }.joined(separator: ", ")
        let bound =
            targets.count == 1 ? "\(targets[0].name)ID" : "(\(targets.map { "\($0.name)ID" }.joined(separator: ", ")))"
        return """
                    let \(bound) = try await program.prepare { manager, ids in
            \(lines)\
                        return \(targets.count == 1 ? names : "(\(names))")
                    }

            """
    }
}

extension Field {
    /// The statement that stores an entity to which the field refers.
    fileprivate var example: String {
        "let \(name)Example = try await \(target ?? "").example(in: manager, ids)"
    }

    /// A value that differs from those of other fields and from defaults.
    fileprivate func exampleValue(in type: String, isVaried: Bool = false) -> String {
        switch kind {
        case .reference: target == type ? "nil" : "\(name)Example.id"
        case .links: target == type ? "[]" : "[\(name)Example.id]"
        case .objects(let type, let fields):
            "[try \(type)(id: ids.next(), \(fields.map { "\($0.name): \($0.exampleValue(in: type))" }.joined(separator: ", ")))]"
        case .string: isVaried ? "\"\(text) \\(number)\"" : "\"\(text)\""
        case .int: isVaried ? "\(name.utf8.count + 1) + number" : "\(name.utf8.count + 1)"
        case .choice(_, let cases): ".\(cases[cases.count - 1])"
        case .double: "\(name.utf8.count).5"
        case .bool: initial == "true" ? "false" : "true"
        case .day where isOptional: "CalendarDay(\"2026-03-\(name.utf8.count % 20 + 10)\")"
        case .day: "try #require(CalendarDay(\"2026-03-\(name.utf8.count % 20 + 10)\"))"
        case .instant: "Timestamp(microseconds: \(name.utf8.count)_000_001)"
        }
    }

    /// The option with the value of the example.
    fileprivate var exampleOptions: [String] {
        let flag = "\"--\(EntityName.words(name).joined(separator: "-"))\""
        switch kind {
        case .reference, .links: return [flag, "\"\\(\(name)ID)\""]
        case .objects, .string: return [flag, "\"\(text)\""]
        case .int: return [flag, "\"\(name.utf8.count + 1)\""]
        case .choice(_, let cases): return [flag, "\"\(cases[cases.count - 1])\""]
        case .double: return [flag, "\"\(name.utf8.count).5\""]
        case .bool where initial == "true": return [flag.replacing("--", with: "--no-")]
        case .bool: return isOptional ? [flag, "\"true\""] : [flag]
        case .day: return [flag, "\"2026-03-01\""]
        case .instant: return [flag, "\"2026-03-01T12:00:00Z\""]
        }
    }
}
