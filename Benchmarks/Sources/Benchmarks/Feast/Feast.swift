import LarderDomain

/// An aggregate of usual size: seven steps, eight ingredients, three labels.
struct Feast: Entity {
    let id: EntityID<Feast>
    var name: String
    var steps: [Step]
    var ingredients: [Ingredient]
    var labels: [EntityID<Label>]

    struct Step: Entity {
        static let entityName = "feast_step"
        let id: EntityID<Step>
        var text: String
        var timerSeconds: Int?
    }

    struct Ingredient: Entity {
        static let entityName = "feast_ingredient"
        let id: EntityID<Ingredient>
        var text: String
        var quantity: Double?
    }
}

/// A search word of feasts.
struct Label: Entity {
    let id: EntityID<Label>
    var name: String
}

extension Feast {
    static let labelCount = 20

    /// The feast with a number: the same in each run.
    init(number: Int) {
        func raw(_ kind: UInt64, _ part: Int) -> RawID {
            RawID(
                high: 0x0190_0000_0000_7000 + UInt64(number) << 16,
                low: 0x8000_0000_0000_0000 | kind << 32 | UInt64(part))
        }
        id = EntityID(raw(1, 0))
        name = "Feast number \(number) with a name of usual length"
        steps = (0..<7).map { part in
            Step(
                id: EntityID(raw(2, part)), text: "Step \(part): do what is to be done, and wait until it is done.",
                timerSeconds: part % 3 == 0 ? 60 * part : nil)
        }
        ingredients = (0..<8).map { part in
            Ingredient(id: EntityID(raw(3, part)), text: "ingredient \(part)", quantity: Double(part + 1) / 2)
        }
        labels = (0..<3).map { Label(number: (number + $0) % Self.labelCount).id }
    }
}

extension Label {
    init(number: Int) {
        id = EntityID(RawID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 | UInt64(number)))
        name = "label \(number)"
    }
}
