/// The command.
extension Entity {
    func command(_ prefix: String) -> String {
        let list =
            sortField.map { "\\(\(name.variable).id) \\(\(name.variable).\($0.name))" } ?? "\\(\(name.variable).id)"
        let sort = sortField.map { "Query(sort: [Sort(\\.\($0.name))])" } ?? "Query()"
        let settable = fields.filter(\.isOption)
        let options = settable.flatMap(\.optionLines)
        let objects = settable.compactMap(\.objectFromOptions).map { "\($0)\n" }
        let arguments = ["id: ids.next()"] + settable.map { "\($0.name): \($0.name)" }
        let missing = fields.filter { !$0.isOption && !$0.isReadOnly }.map(\.name)
        let enums = settable.flatMap(\.options).compactMap(\.choice?.type)
        let parsed = enums.map { "\nextension \($0): ExpressibleByArgument {}\n" }
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
    /// Whether options can set the value: objects if they consist of one text, a value object if it is required.
    var isOption: Bool {
        if isReadOnly { return false }
        switch kind {
        case .objects(_, let fields):
            return fields.count == 1 && fields[0].kind == .string && !fields[0].isOptional
        case .value: return !isOptional
        case .bytes: return false
        default: return true
        }
    }

    /// The fields that options set: the parts of a value object, `addressStreet`, or the field itself.
    var options: [Field] {
        guard case .value(_, let fields) = kind else { return [self] }
        return fields.map { field in
            Field(
                name: name + field.name.capitalizedFirst, kind: field.kind, isOptional: field.isOptional, initial: nil,
                isUnique: false, isReadOnly: false)
        }
    }

    /// The declarations of the options.
    fileprivate var optionLines: [String] {
        zip(options, parts.isEmpty ? [self] : parts).map { option, field in
            let line = "        " + option.option(field.rule.replacing("`nil`", with: "omit it"))
            return line.count > 120 ? line.replacing(") var ", with: ")\n        var ") : line
        }
    }

    private func option(_ rule: String) -> String {
        let help = "help: \"\(rule)\""
        switch kind {
        case .bool where initial == "true": return "@Flag(inversion: .prefixedNo, \(help)) var \(name) = true"
        case .bool where !isOptional: return "@Flag(\(help)) var \(name) = false"
        case .objects: return "@Option(\(help)) var \(name): [String] = []"
        default:
            let value = isList ? " = []" : literal.map { " = \($0)" } ?? ""
            return "@Option(\(help)) var \(name): \(type)\(value)"
        }
    }

    fileprivate var objectFromOptions: String? {
        switch kind {
        case .objects(let type, let fields):
            return "            let \(name) = try \(name).map { try \(type)(id: ids.next(), \(fields[0].name): $0) }"
        case .value(let type, let fields):
            let arguments = zip(fields, options).map { "\($0.name): \($1.name)" }
            return Entity.call("let \(name) = try \(type)", arguments, indent: 12)
        default: return nil
        }
    }
}
