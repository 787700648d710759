internal import Foundation
internal import GRDB

/// Imports recipes with their ids and tags.
enum RecipeImport {
    /// - Parameter path: A file with one recipe in JSON on each line.
    static func run(_ path: String, into pool: DatabasePool) throws {
        let lines = try Data(contentsOf: URL(filePath: path)).split(separator: UInt8(ascii: "\n"))
        try pool.write { database in
            for line in lines {
                let body = try JSONDecoder().decode(RecipeBody.self, from: line)
                try body.check()
                for tag in body.tags ?? [] {
                    try Tag(id: tag.id, name: tag.name ?? "").insert(database, onConflict: .ignore)
                }
                let tags = (body.tags ?? []).map { NamedTag(recipeID: body.id ?? "", id: $0.id, name: $0.name ?? "") }
                try FullRecipe(body, replacing: nil, tags: tags).insert(database)
            }
        }
    }
}
