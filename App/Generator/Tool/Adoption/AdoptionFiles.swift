/// The files of an adoption, in addition to the files of the entities.
enum AdoptionFiles {
    static let list = "App/Adoption.swift"
    static let page = "docs/adoption.md"

    /// The tables with the origins of their columns, and the command.
    static func list(_ adoption: Adoption, _ prefix: String) -> String {
        let tables = adoption.tables.map { table -> String in
            let columns = table.origins.filter { $0.joined == nil }.map(column)
            let links = table.origins.filter { $0.joined != nil }.map(links)
            let later = table.later.map(quoted).joined(separator: ", ")
            return
                "        AdoptedTable(\n            \(table.name.type)Mapper.self, from: \(quoted(table.source.name)), key: \(texts(table.source.identity)),\n"
                + Entity.list("            columns: ", columns, indent: 12)
                + (links.isEmpty ? "" : ",\n" + Entity.list("            links: ", links, indent: 12))
                + (later.isEmpty ? "" : ",\n            later: [\(later)]") + "),\n"
        }
        let text = """
            import ArgumentParser
            import LarderApp
            import LarderDomain
            import \(prefix)Data

            /// The tables of the former database, each after those to which it refers. `make adopt` writes this list.
            enum Adoption {
                static let tables: [AdoptedTable] = [
            \(tables.joined())    ]
            }

            /// `adopt`
            struct AdoptCommand: StoreCommand {
                static let configuration = CommandConfiguration(
                    commandName: "adopt", abstract: "Copies the rows of the former database, which it does not change.",
                    discussion: "A repetition writes only what has changed. The rows are compared at the end.")

                @OptionGroup var options: StoreOptions
                @Option(help: "The database: sqlite:PATH, or a connection string of PostgreSQL.") var from: String

                func run(_ manager: any PersistencyManager, in container: Container) async throws {
                    try await AdoptionRun(from: from, to: manager).copy(Adoption.tables)
                }
            }

            """
        return Imports.sorted(in: text)
    }

    private static func column(_ origin: AdoptedTable.Origin) -> String {
        guard let target = origin.target else { return "\(quoted(origin.column)): \(quoted(origin.columns[0]))" }
        return "\(quoted(origin.column)): .reference(\(quoted(target)), \(texts(origin.columns)))"
    }

    private static func links(_ origin: AdoptedTable.Origin) -> String {
        let (table, targets) = origin.joined ?? ("", [])
        return
            "\(quoted(origin.column)): .init(\n                    \(quoted(table)), owner: \(texts(origin.columns)), "
            + "targets: \(texts(targets)), of: \(quoted(origin.target ?? "")))"
    }

    private static func texts(_ names: [String]) -> String { "[\(names.map(quoted).joined(separator: ", "))]" }

    /// A text in Swift.
    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
