public import LarderData
import LarderDomain
public import LoansDomain

/// Stores bikes.
public enum BikeMapper: EntityMapper {
    public static let mapping = Mapping<Bike>(
        "bike", id: \.id,
        [
            .column("name", \.name).indexed,
            .reference("borrower_id", \.borrower, onDelete: .refuse),
        ])

    public static func entity(from row: inout ObjectReader) throws -> Bike {
        try Bike(id: row.id(), name: row.next(), borrower: row.next(), limits: .stored)
    }
}
