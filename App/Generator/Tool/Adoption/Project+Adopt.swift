import Foundation

extension Project {
    /// Adds an entity for each table of a database, and the list by which its rows are copied.
    func adopt(_ arguments: Arguments) throws -> String {
        let source = try arguments.required("FROM", "sqlite:legacy.db")
        let schema = try Shell.schema(of: source, in: root)
        let names = arguments["TABLES"]?.split(whereSeparator: \.isWhitespace).map(String.init) ?? []
        let declared = try Declarations(in: root)
        let adoption = try Adoption(schema, only: names) { type, table in
            // A repetition finds the types of the first adoption.
            declared.place(of: type) != nil
                && !entities.values.contains { $0.source == table && $0.types.contains(type) }
        }
        guard !adoption.tables.isEmpty else { throw Refusal("no table can be adopted:\n" + adoption.report) }
        var plan = Plan(root: root)
        try add(adoption.tables.compactMap(\.entity), to: &plan)
        plan.write(AdoptionFiles.list, AdoptionFiles.list(adoption, prefix))
        plan.write(AdoptionFiles.page, AdoptionFiles.page(adoption))
        let command = ("App/Entities.swift", "static let commands:", "        AdoptCommand.self,")
        if !plan.contains(command.2, in: command.0) { try plan.insert(command.2, after: command.1, in: command.0) }
        return try plan.finish(isDry: arguments.flag("DRY")) + "\n\n" + adoption.report
    }
}

extension Adoption {
    /// The number of adopted tables, and the unsupported features, for the terminal.
    var report: String {
        let count = tables.count + links.count
        let all = count + omitted.count
        let share = all == 0 ? 0 : 100 * count / all
        let lines = omitted.map { "not adopted: \($0.table): \($0.reason)" } + remarks.map(\.line)
        return lines.joined(separator: "\n") + (lines.isEmpty ? "" : "\n\n")
            + "Adopted \(count) of \(all) tables (\(share) %), \(links.count) of them as links. See \(AdoptionFiles.page)."
    }
}

extension AdoptionRemark {
    fileprivate var line: String { "not expressed: \(table)\(column.isEmpty ? "" : ".\(column)"): \(reason)" }
}
