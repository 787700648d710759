import LarderDomain

/// A flat entity with nine properties, as long as the row of a recipe.
struct Dish: Entity {
    let id: EntityID<Dish>
    var name: String
    var summary: String?
    var author: String?
    var difficulty: Int
    var rating: Int
    var preparationMinutes: Int?
    var cookingMinutes: Int?
    var isCompleted: Bool
    var createdAt: Timestamp
}

extension Dish {
    /// The dish with a number: the same in each run.
    init(number: Int) {
        // The ids ascend with the numbers, as generated ids ascend with time.
        id = EntityID(RawID(high: 0x0190_0000_0000_7000 + UInt64(number) << 16, low: 0x8000_0000_0000_0000))
        name = "Dish number \(number) with a name of usual length"
        summary = number % 3 == 0 ? nil : "A summary that says in one sentence what is good about number \(number)."
        author = number % 5 == 0 ? nil : "Author \(number % 97)"
        difficulty = 1 + number % 5
        rating = number % 6
        preparationMinutes = number % 4 == 0 ? nil : number % 90
        cookingMinutes = number % 7 == 0 ? nil : number % 120
        isCompleted = number % 2 == 0
        createdAt = Timestamp(microseconds: 1_700_000_000_000_000 + Int64(number))
    }
}
