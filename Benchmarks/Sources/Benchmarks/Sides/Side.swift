import LarderData
import LarderDomain

/// One implementation of all works, over its own database file with the same rows as the others.
protocol Side: Sendable {
    var name: String { get }
    /// The database file. The floor reads the results of writes from it, whichever side wrote them.
    var path: String { get }

    /// Creates a database with the tables of dishes.
    func makeEmpty(_ path: String) async throws
    /// Writes dishes into an empty database in one transaction.
    func insert(_ dishes: [Dish], into path: String, by method: BulkMethod) async throws -> Duration
    /// Reads dishes one by one.
    ///
    /// - Parameter task: The number of the task that reads; `nil` if there is only one.
    func read(_ ids: [EntityID<Dish>], task: Int?) async throws -> Sum
    /// Reads all dishes in the order of their ids.
    func readAll() async throws -> Sum
    /// Reads the dishes of one preparation time in the order of their names.
    func read(preparedIn minutes: Int) async throws -> Sum
    /// Writes a different rating of each dish in its own commit, after a comparison with the stored dish and its
    /// version.
    func rate(_ ids: [EntityID<Dish>]) async throws -> Duration
    /// Reads the name, the rating and the preparation time of all dishes in the order of their ids.
    func readLines() async throws -> Sum
    /// The sum of the ratings of each preparation time.
    func sumOfRatings() async throws -> Sum
    /// Reads dishes, and writes a different rating of each in its own commit.
    func change(_ ids: [EntityID<Dish>]) async throws -> Duration
    /// Saves dishes that are equal to the stored ones. The sum counts the unchanged ones.
    func saveUnchanged(_ ids: [EntityID<Dish>]) async throws -> Timed

    /// Writes new aggregates, each in its own commit.
    func insert(_ feasts: [Feast]) async throws -> Duration
    /// Changes one step of each aggregate in its own commit, after a comparison with the whole stored aggregate.
    func changeStep(of ids: [EntityID<Feast>], to text: String) async throws -> Duration
    /// Reads aggregates one by one.
    func read(_ ids: [EntityID<Feast>]) async throws -> Sum
    /// Reads a batch of aggregates.
    func readAtOnce(_ ids: [EntityID<Feast>]) async throws -> Sum
}

extension Side {
    func makeEmpty(_ path: String) async throws {
        let store = try await LarderSide.sqlite()(path, try MapperSet([DishMapper.self]).schemas)
        await store.close()
    }
}

/// Three of the nine values of a dish.
struct DishLine: ReadModel {
    typealias Source = Dish

    let id: EntityID<Dish>
    let name: String
    let rating: Int
    let preparationMinutes: Int?

    var sum: Sum { Sum(count: 1, checksum: name.utf8.count + rating + (preparationMinutes ?? 0)) }
}

/// The index of the step that works change.
let changedStep = 3

extension Stored<Dish> {
    /// A sum over all values, so that each has to be read.
    var sum: Sum {
        let texts = entity.name.utf8.count + (entity.summary?.utf8.count ?? 0) + (entity.author?.utf8.count ?? 0)
        let numbers =
            entity.difficulty + entity.rating + (entity.preparationMinutes ?? 0) + (entity.cookingMinutes ?? 0)
        let rest = (entity.isCompleted ? 1 : 0) + Int(entity.createdAt.microseconds & 0xFFFF) + Int(version)
        return Sum(count: 1, checksum: texts + numbers + rest)
    }

    /// The same dish with a different rating.
    var rerated: Stored<Dish> {
        var dish = self
        dish.entity.rating = (entity.rating + 1) % 6
        return dish
    }
}

extension Stored<Feast> {
    /// A sum over the values of all rows.
    var sum: Sum {
        let steps = entity.steps.reduce(0) { $0 + $1.text.utf8.count + ($1.timerSeconds ?? 0) }
        let ingredients = entity.ingredients.reduce(0) { $0 + $1.text.utf8.count + Int($1.quantity ?? 0) }
        return Sum(
            count: 1, checksum: entity.name.utf8.count + steps + ingredients + entity.labels.count + Int(version))
    }

    /// The same aggregate with one different step.
    func withStep(_ text: String) -> Stored<Feast> {
        var feast = self
        feast.entity.steps[changedStep].text = text
        return feast
    }
}
