extension AdoptionFiles {
    /// The adopted tables, and the unsupported features.
    static func page(_ adoption: Adoption) -> String {
        let entities = adoption.tables.map { table in
            "| \(cell(table.source.name)) | entity | \(table.name.type), key \(table.source.identity.map(cell).joined(separator: ", ")) |\n"
        }
        let links = adoption.links.map { "| \(cell($0.table.name)) | links | a list of \(cell($0.owner)) |\n" }
        let omitted = adoption.omitted.map { "| \(cell($0.table)) | nothing | \(cell($0.reason)) |\n" }
        let remarks = adoption.remarks.map { "| \(cell($0.table)) | \(cell($0.column)) | \(cell($0.reason)) |\n" }
        return """
            # Adoption

            `make adopt` writes this page about the tables of the former database.

            | Table | Became | |
            |---|---|---|
            \((entities + links + omitted).joined())
            ## Not expressed

            | Table | Column | Reason |
            |---|---|---|
            \(remarks.joined())
            """
    }

    /// A text in a table of Markdown.
    private static func cell(_ text: String) -> String {
        text.replacing("|", with: "\\|").replacing(/\s+/, with: " ")
    }
}
