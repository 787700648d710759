import LarderDomain

extension Kitchen {
    /// A dish at hand with one other value: compared with what is stored, the one column written in a commit of its own,
    /// and lost if somebody else was there first.
    ///
    /// - Parameter floorCompares: Whether the floor reads what is stored, too, or knows the column and writes blindly.
    func updates(_ count: Int, floorCompares: Bool) -> Work {
        Work(
            name: floorCompares ? "W5 update with its own commit" : "W5, the floor without reading",
            target: floorCompares ? 1.4 : nil, operations: count,
            floor: { number in
                let dishes = try distinct(count, seed: number).compactMap { try floor.dish($0) }.map(\.rerated)
                return try await .measure {
                    for dish in dishes where try !floorCompares || floor.dish(dish.id) != dish { try floor.rate(dish) }
                    return dishes.reduce(0) { $0 + $1.rating }
                }
            },
            kit: { number in
                let dishes = try await repository.read(distinct(count, seed: number)).map(\.rerated)
                return try await .measure {
                    for dish in dishes { try await repository.update(dish.entity, expecting: dish.version) }
                    return dishes.reduce(0) { $0 + $1.rating }
                }
            })
    }

    /// A dish that is stored already: read, compared, and found the same.
    func unchangedSaves(_ count: Int) -> Work {
        Work(
            name: "W7 unchanged save", target: 1.3, operations: count,
            floor: { number in
                let dishes = try distinct(count, seed: number).compactMap { try floor.dish($0) }
                return try await .measure {
                    try dishes.reduce(0) { $0 + (try floor.dish($1.id)?.entity == $1.entity ? 1 : 0) }
                }
            },
            kit: { number in
                let dishes = try await repository.read(distinct(count, seed: number))
                return try await .measure {
                    var unchanged = 0
                    for dish in dishes where try await repository.save(dish.entity).outcome == .unchanged {
                        unchanged += 1
                    }
                    return unchanged
                }
            })
    }

    private func distinct(_ count: Int, seed: Int) -> [EntityID<Dish>] {
        var seen: Set<EntityID<Dish>> = []
        return ids(count * 2, seed: seed).filter { seen.insert($0).inserted }.prefix(count).sorted()
    }
}

extension Stored<Dish> {
    /// The same dish with another rating.
    fileprivate var rerated: Stored<Dish> {
        var dish = self
        dish.entity.rating = (entity.rating + 1) % 6
        return dish
    }
}
