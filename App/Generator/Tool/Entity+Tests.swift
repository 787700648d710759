/// The tests.
extension Entity {
    func tests(_ prefix: String) -> String {
        let targets = fields.filter { $0.target != nil && !$0.isBackward(in: name.type) }
        let varied = fields.filter { $0.isUnique || $0 == sortField || uniques.joined().contains($0.name) }
        let total = "manager.read(Query<\(name.type)>(limit: 1, includesTotal: true)).total"
        let isNumbered = varied.contains(where: \.isNumbered)
        let number = isNumbered ? "        let number = try await \(total) ?? 0\n" : ""
        let examples = targets.map { "        \($0.example)\n" }.joined()
        let parameters = ["in manager: any PersistencyManager", "_ ids: any IDGenerator"]
        var place = 0
        let arguments =
            ["id: ids.next()"]
            + fields.map { $0.exampleArgument(in: name.type, isVaried: varied.contains($0), at: &place) }
        let options = fields.filter { $0.isOption && !$0.isBackward(in: name.type) }.flatMap(\.exampleOptions)
        let words = ["\"\(name.collection)\"", "\"add\""] + options
        return """
            import HTTPTypes
            import LarderData
            import LarderDomain
            import LarderHTTP
            import LarderTesting
            import \(prefix)Data
            import \(prefix)Domain
            import Testing

            @testable import \(prefix)App
            \(shadows(prefix))
            extension \(name.type) {
                /// Stores a valid \(name.text), with everything to which it refers.
                static func example(
            \(Self.wrapped(parameters + selfReferences.map(\.parameter), indent: 8))
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

            \(mapperTest)\
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

    /// The references to entities of the same type: an example has none, unless the test creates those entities.
    private var selfReferences: [Field] { fields.filter { $0.isBackward(in: name.type) } }

    /// The test that the mapper exchanges and loses no members, of which the example has different ones.
    private var mapperTest: String {
        let lines = selfReferences.map { "            \($0.example)\n" }.joined()
        let arguments =
            ["in: service.manager", "service.ids"]
            + selfReferences.map { "\($0.name): \($0.isList ? "[\($0.name)Example.id]" : "\($0.name)Example.id")" }
        return """
                @Test func `the mapper keeps every member`() async throws {
                    try await TestService.run { service in
            \(lines.replacing("manager, ids", with: "service.manager, service.ids"))\
            \(Self.call("let example = try await \(name.type).example", arguments, indent: 12))
                        #expect(try \(name.type)Mapper.unkeptMembers(of: example.entity) == [])
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
        let targets = fields.filter { $0.isOption && $0.target != nil && !$0.isBackward(in: name.type) }
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
    /// Whether examples differ by their number.
    fileprivate var isNumbered: Bool {
        switch kind {
        case .string, .int, .double, .decimal, .day, .instant: true
        default: false
        }
    }

    /// The statement that stores an entity to which the field refers.
    fileprivate var example: String {
        "let \(name)Example = try await \(target ?? "").example(in: manager, ids)"
    }

    /// An argument with a value that differs from those of other fields and from the default.
    ///
    /// - Parameters:
    ///   - type: The entity.
    ///   - isVaried: Whether each example needs another value.
    ///   - owner: The field whose object has this one.
    ///   - place: The number of preceding fields, in all objects.
    fileprivate func exampleArgument(
        in type: String, isVaried: Bool = false, of owner: Field? = nil, at place: inout Int
    ) -> String {
        place += 1
        func object(_ start: String, _ type: String, _ arguments: [String], _ end: String) -> String {
            String(Entity.call("\(name): \(start)try \(type)", arguments, indent: 12, end: end).dropFirst(12))
        }
        switch kind {
        case .objects(let type, let fields):
            let values = fields.map { $0.exampleArgument(in: type, of: self, at: &place) }
            return object("[", type, ["id: ids.next()"] + values, "]")
        case .value(let type, let fields):
            return object("", type, fields.map { $0.exampleArgument(in: type, of: self, at: &place) }, "")
        default: return "\(name): \(exampleValue(in: type, isVaried, of: owner, place))"
        }
    }

    private func exampleValue(in type: String, _ isVaried: Bool, of owner: Field?, _ place: Int) -> String {
        // Twice the place, or one more if the default starts with that.
        let number = 2 * place + (initial?.hasPrefix("\(2 * place)") ?? false ? 1 : 0)
        let count = isVaried ? "\(number) + 1_000 * number" : "\(number)"
        let optional: String
        switch kind {
        case .reference: return isBackward(in: type) ? name : "\(name)Example.id"
        case .links: return target == type ? name : "[\(name)Example.id]"
        case .string:
            let text = (owner.map { "\($0.text): " } ?? "") + self.text
            return isVaried ? "\"\(text) \\(number)\"" : "\"\(text)\""
        case .int: return count
        case .choice(_, let cases): return ".\(cases[cases.count - 1])"
        case .double: return isVaried ? "Double(\(count)) + 0.5" : "\(number).5"
        case .instant where isVaried: return "Timestamp(microseconds: Int64(\(count)) * 1_000_001)"
        case .instant: return "Timestamp(microseconds: \(number)_000_001)"
        case .day where isVaried: optional = "CalendarDay(year: \(1000 + place) + number, month: 3, day: 1)"
        case .day: optional = "CalendarDay(\"\(2000 + number)-03-01\")"
        case .bytes: return "[\(number % 256), 2]"
        case .decimal(let scale):
            let fraction = scale == 0 ? "" : "." + String(repeating: "0", count: scale - 1) + "5"
            optional = "ExactDecimal(\"\(isVaried ? "\\(\(count))" : count)\(fraction)\")"
        default: return initial == "true" ? "false" : "true"
        }
        return isOptional ? optional : "try #require(\(optional))"
    }

    /// The option with the value of the example.
    fileprivate var exampleOptions: [String] {
        let flag = "\"--\(EntityName.words(name).joined(separator: "-"))\""
        switch kind {
        case .bytes: return []
        case .reference, .links: return [flag, "\"\\(\(name)ID)\""]
        case .objects, .string: return [flag, "\"\(text)\""]
        case .value: return options.flatMap(\.exampleOptions)
        case .int, .decimal: return [flag, "\"\(name.utf8.count + 1)\""]
        case .choice(_, let cases): return [flag, "\"\(cases[cases.count - 1])\""]
        case .double: return [flag, "\"\(name.utf8.count).5\""]
        case .bool where initial == "true": return [flag.replacing("--", with: "--no-")]
        case .bool: return isOptional ? [flag, "\"true\""] : [flag]
        case .day: return [flag, "\"2026-03-01\""]
        case .instant: return [flag, "\"2026-03-01T12:00:00Z\""]
        }
    }
}
