/// The command.
extension Entity {
    func command(_ prefix: String) -> String {
        let list =
            sortField.map { "\\(\(name.variable).id) \\(\(name.variable).\($0.name))" } ?? "\\(\(name.variable).id)"
        let sort = sortField.map { "Query(sort: [Sort(\\.\($0.name))])" } ?? "Query()"
        let settable = fields.filter(\.isOption)
        let options = settable.map { "        \($0.option)" }
        let objects = settable.compactMap(\.objectsFromOption).map { "            \($0)\n" }
        let arguments = ["id: ids.next()"] + settable.map { "\($0.name): \($0.name)" }
        let missing = fields.filter { !$0.isOption && !$0.isReadOnly }.map(\.name)
        let parsed = settable.compactMap(\.choice?.type).map { "\nextension \($0): ExpressibleByArgument {}\n" }
        // The conformance of a public enum is public.
        let access = parsed.isEmpty ? "" : "public "
        let remark = missing.isEmpty ? "" : " Without \(Self.choice(missing)), which only HTTP sets."
        return """
            \(access)import ArgumentParser
            import LarderApp
            import LarderDomain
            \(access)import \(prefix)Domain

            /// `\(name.collection)`
            struct \(name.plural)Command: AsyncParsableCommand {
                static let configuration = CommandConfiguration(
                    commandName: "\(name.collection)", abstract: "Lists, adds and removes \(name.texts).",
                    subcommands: [List.self, Add.self, Remove.self], defaultSubcommand: List.self)

                struct List: StoreCommand {
                    static let configuration = CommandConfiguration(abstract: "Lists the \(name.texts).")
                    static let isReading = true
                    @OptionGroup var options: StoreOptions

                    func run(_ manager: any PersistencyManager, in container: Container) async throws {
                        for \(name.variable) in try await \(name.plural)(manager).read(\(sort)).entities {
                            try Terminal.output("\(list)")
                        }
                    }
                }

                struct Add: StoreCommand {
                    static let configuration = CommandConfiguration(
                        abstract: "Adds \(name.one), and prints its id.\(remark)")
                    @OptionGroup var options: StoreOptions
            \(options.joined(separator: "\n"))

                    func run(_ manager: any PersistencyManager, in container: Container) async throws {
                        let ids = container.ids
            \(objects.joined())\
            \(Self.call("let \(name.variable) = try \(name.type)", arguments, indent: 12))
                        try Terminal.output(try await \(name.plural)(manager).create(\(name.variable)).id.description)
                    }
                }

                struct Remove: StoreCommand {
                    static let configuration = CommandConfiguration(abstract: "Removes \(name.one).")
                    @OptionGroup var options: StoreOptions
                    @Argument(help: "The id of the \(name.text).") var id: EntityID<\(name.type)>

                    func run(_ manager: any PersistencyManager, in container: Container) async throws {
                        try await \(name.plural)(manager).delete(id)
                    }
                }
            }
            \(parsed.joined())
            """
    }
}

extension Field {
    /// Whether an option can set the value: objects only if they consist of one text.
    var isOption: Bool {
        if isReadOnly { return false }
        guard case .objects(_, let fields) = kind else { return true }
        return fields.count == 1 && fields[0].kind == .string && !fields[0].isOptional
    }

    fileprivate var option: String {
        let help = "help: \"\(rule.replacing("`nil`", with: "omit it"))\""
        switch kind {
        case .bool where initial == "true": return "@Flag(inversion: .prefixedNo, \(help)) var \(name) = true"
        case .bool where !isOptional: return "@Flag(\(help)) var \(name) = false"
        case .objects: return "@Option(\(help)) var \(name): [String] = []"
        default:
            let value = isList ? " = []" : literal.map { " = \($0)" } ?? ""
            return "@Option(\(help)) var \(name): \(type)\(value)"
        }
    }

    fileprivate var objectsFromOption: String? {
        guard case .objects(let type, let fields) = kind else { return nil }
        return "let \(name) = try \(name).map { try \(type)(id: ids.next(), \(fields[0].name): $0) }"
    }
}
