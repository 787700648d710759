/// The tests.
extension Entity {
    func tests(_ prefix: String) -> String {
        let required = fields.filter { !$0.isOptional && !$0.isList }.map { "\"/\($0.name)\"" }
        let invalid =
            required.isEmpty
            ? ""
            : """

                        let invalid = try await service.send(.post, "/v1/\(name.collection)", as: "bob", body: "{}")
                        #expect(invalid.status == .unprocessableContent)
                        #expect(service.pointers(in: invalid) == [\(required.joined(separator: ", "))])

            """
        let targets = fields.filter { $0.target != nil && $0.target != name.type }
        let examples = targets.map { "        \($0.example)\n" }.joined()
        let arguments = ["id: ids.next()"] + fields.map { "\($0.name): \($0.exampleValue(in: name.type))" }
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
            \(examples)\
            \(Self.call("let \(name.variable) = try \(name.type)", arguments, indent: 8))
                    return try await manager.create(\(name.variable))
                }
            }

            /// \(name.texts.capitalizedFirst), in the stores, over HTTP, and at the command line.
            struct \(name.type)Tests {
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

                @Test func `\(name.texts) are created, read, replaced and deleted over HTTP`() async throws {
                    try await StoreKind.memory.withStore(try MapperSet(Entities.mappers).schemas) { store in
                        let service = try await TestService(store)
                        let example = try await \(name.type).example(in: service.manager, service.ids)
                        let path = "/v1/\(name.collection)/\\(example.id)"
                        let read = try await service.send(.get, path, as: "bob")
                        #expect(read.status == .ok)
            \(anonymous)\
                        let created = try await service.send(.post, "/v1/\(name.collection)", as: "bob", body: read.text)
                        #expect(created.status == .created)
                        // The representation that a client received changes nothing.
                        let replaced = try await service.send(.put, path, as: "bob", ifMatch: read.tag, body: read.text)
                        #expect(replaced.status == .ok && replaced.tag == read.tag && replaced.text == read.text)
            \(invalid)\
                        #expect(try await service.send(.delete, path, as: "bob", ifMatch: read.tag).status == .forbidden)
                        #expect(try await service.send(.delete, path, as: "ann", ifMatch: read.tag).status == .noContent)
                        #expect(try await service.send(.get, path, as: "bob").status == .notFound)
                        let rest = try await service.send(.get, "/v1/\(name.collection)", as: "bob")
                        #expect(rest.text.contains(created.string("id")) && !rest.text.contains("\\(example.id)"))
                    }
                }

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

    /// The lines that test the permissions of anonymous callers and followers.
    private var anonymous: String {
        let status = isPublic ? "ok" : "unauthorized"
        return """
                        for path in [path, "/v1/\(name.collection)"] {
                            #expect(try await service.send(.get, path).status == .\(status))
                        }
                        let policies = Entities.policies(for: nil)
                        let stranger = GuardedManager(service.manager, policies: policies)
                        let seen = try await stranger.read(Query<\(name.type)>(includesTotal: true))
                        #expect(seen.items.count == \(isPublic ? 1 : 0) && seen.total == \(isPublic ? 1 : 0))
            \(counts)\
                        let change = CommittedChange(EntityReference(example.id), kind: .inserted, version: 1)
                        #expect(\(isPublic ? "" : "!")\(name.type)Policy(nil).mayFollow(change))

            """
    }

    /// The line that counts by the first value.
    private var counts: String {
        guard let field = fields.first(where: { !$0.isOptional && !$0.isList && $0.target == nil }) else { return "" }
        return """
                        let counts = try await stranger.counts(Query<\(name.type)>(), by: .value(\\.\(field.name)))
                        #expect(counts.values.reduce(0, +) == \(isPublic ? 1 : 0))

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
        let targets = fields.filter { $0.target != nil && $0.target != name.type }
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
    fileprivate func exampleValue(in type: String) -> String {
        switch kind {
        case .reference: target == type ? "nil" : "\(name)Example.id"
        case .links: target == type ? "[]" : "[\(name)Example.id]"
        case .objects(let type, let fields):
            "[try \(type)(id: ids.next(), \(fields.map { "\($0.name): \($0.exampleValue(in: type))" }.joined(separator: ", ")))]"
        case .string: "\"\(text)\""
        case .int: "\(name.utf8.count + 1)"
        case .double: "\(name.utf8.count).5"
        case .bool: "true"
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
        case .double: return [flag, "\"\(name.utf8.count).5\""]
        case .bool: return isOptional ? [flag, "\"true\""] : [flag]
        case .day: return [flag, "\"2026-03-01\""]
        case .instant: return [flag, "\"2026-03-01T12:00:00Z\""]
        }
    }
}
