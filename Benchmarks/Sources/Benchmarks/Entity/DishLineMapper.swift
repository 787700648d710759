import LarderData

enum DishLineMapper: ReadModelMapper {
    static let mapping = ReadModelMapping<Dish>([.column(\.name), .column(\.rating), .column(\.preparationMinutes)])

    static func model(from row: inout ObjectReader) throws -> DishLine {
        try DishLine(id: row.id(), name: row.next(), rating: row.next(), preparationMinutes: row.next())
    }
}
