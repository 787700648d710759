internal import LarderData
internal import LarderDomain

/// A root with large content, owned by another root.
struct Picture: Entity {
    let id: EntityID<Picture>
    var bytes: [UInt8]

    init(_ id: EntityID<Picture>, _ bytes: [UInt8]) {
        self.id = id
        self.bytes = bytes
    }
}

enum PictureMapper: EntityMapper {
    static let mapping = Mapping<Picture>("picture", id: \.id, [.column("bytes", \.bytes)])

    static func entity(from row: inout ObjectReader) throws -> Picture {
        try Picture(row.id(), row.next())
    }
}
