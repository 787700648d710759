internal import LarderDomain

/// One frame of a tape, with names for its bytes. Zero is always the simplest choice, so a tape gets simpler when bytes
/// become zero.
struct Frame: Sendable {
    private let bytes: [UInt8]

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// The byte at an index.
    subscript(index: Int) -> UInt8 { bytes[index] }

    /// An element chosen by a byte.
    func pick<Element>(_ index: Int, _ elements: [Element]) -> Element { elements[Int(bytes[index]) % elements.count] }

    /// The root that the frame operates on, most often a book.
    var key: ItemKey {
        let kinds = ItemKind.allCases + [.book, .book, .review]
        return ItemKey(kinds[Int(bytes[1] & 15) % kinds.count], bytes[1] >> 4)
    }

    /// The frame's operation, given the model's current state.
    func operation(in unit: ModelUnit) -> Operation {
        switch bytes[0] % 16 {
        case 0: .read(key)
        case 1: .readMany(key.kind, bytes[3..<7].map { ItemKey(key.kind, $0) })
        case 2, 3: .create(item(in: unit))
        case 4, 5, 6: .save(item(in: unit))
        case 7: saving(item(in: unit), in: unit)
        case 8, 9, 10: .update(item(in: unit), expecting: version(in: unit))
        case 11, 12: .delete(key, expecting: version(in: unit))
        case 13 where bytes[1] % 4 == 3: .sweep(pick(3, Sweep.all))
        case 13, 14:
            .ask(pick(3, Question.all), pageSize: bytes[4] % 4 == 0 ? nil : Int(bytes[4] % 4))
        default: .count(pick(3, Tally.all))
        }
    }

    /// A save by the key, where it is clear which item has it.
    private func saving(_ item: Item, in unit: ModelUnit) -> Operation {
        switch item {
        case .author, .genre: unit.twins(of: item).count > 1 ? .save(item) : .saveByKey(item)
        default: .save(item)
        }
    }

    /// None, the stored version, the preceding version, or a future version.
    private func version(in unit: ModelUnit) -> Int64? {
        let current = unit.version(of: key)
        return switch bytes[2] & 7 {
        case 0, 1, 2: nil
        case 3, 4, 5: current
        case 6: current - 1
        default: current + 1
        }
    }

    /// An item made of the frame's bytes, or the current item with a small change.
    private func item(in unit: ModelUnit) -> Item {
        guard bytes[2] & 0x18 != 0, let known = unit.kept(key)?.item else { return Item(key, from: self) }
        return known.changed(by: self)
    }

    /// Whether the body of a transaction continues after a failure of this operation.
    var isSwallowed: Bool { bytes[2] & 0x20 != 0 }
}
