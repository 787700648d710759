import LarderDomain

/// W8: an aggregate of 19 rows, saved, changed in one, loaded, and loaded with 99 others.
extension Kitchen {
    func newFeasts(_ count: Int) -> Work {
        Work(
            name: "W8 graph: save new", target: 1.5, operations: count,
            floor: { number in
                let feasts = newFeasts(count, pass: number)
                return try await .measure {
                    for feast in feasts { try floorFeasts.insert(feast) }
                    return feasts.count
                }
            },
            kit: { number in
                let feasts = newFeasts(count, pass: number)
                return try await .measure {
                    for feast in feasts { try await self.feasts.create(feast) }
                    return feasts.count
                }
            })
    }

    func stepChanges(_ count: Int) -> Work {
        Work(
            name: "W8 graph: change one step", target: 1.5, operations: count,
            floor: { number in
                let changed = try feastIDs(count, seed: number).compactMap { try floorFeasts.load($0) }
                    .map { $0.changed(number) }
                return try await .measure {
                    for feast in changed { try floorFeasts.update(feast) }
                    return changed.count
                }
            },
            kit: { number in
                let changed = try await feasts.read(feastIDs(count, seed: number)).map { $0.changed(number) }
                return try await .measure {
                    for feast in changed { try await feasts.update(feast.entity, expecting: feast.version) }
                    return changed.count
                }
            })
    }

    func feastLoads(_ count: Int) -> Work {
        Work(
            name: "W8 graph: load", target: 1.5, operations: count,
            floor: { number in
                let ids = feastIDs(count, seed: number)
                return try await .measure { try ids.reduce(0) { $0 + (try floorFeasts.load($1)?.checksum ?? 0) } }
            },
            kit: { number in
                let ids = feastIDs(count, seed: number)
                return try await .measure {
                    var sum = 0
                    for id in ids { sum += try await feasts.read(id)?.checksum ?? 0 }
                    return sum
                }
            })
    }

    func feastLoadsOfHundred(_ count: Int) -> Work {
        Work(
            name: "W8 graph: load 100, each", target: 1.5, operations: count * 100,
            floor: { number in
                let hundreds = (0..<count).map { feastIDs(100, seed: number * count + $0) }
                return try await .measure {
                    try hundreds.reduce(0) { try $0 + floorFeasts.loadHundred($1).reduce(0) { $0 + $1.checksum } }
                }
            },
            kit: { number in
                let hundreds = (0..<count).map { feastIDs(100, seed: number * count + $0) }
                return try await .measure {
                    var sum = 0
                    for ids in hundreds { sum += try await feasts.read(ids).reduce(0) { $0 + $1.checksum } }
                    return sum
                }
            })
    }

    /// Feasts that are not stored yet.
    private func newFeasts(_ count: Int, pass: Int) -> [Feast] {
        (0..<count).map { Feast(number: feastCount + pass * count + $0) }
    }

    /// Different ids.
    private func feastIDs(_ count: Int, seed: Int) -> [EntityID<Feast>] {
        var chance = SplitMix64(state: UInt64(seed))
        let start = Int(chance.next() % UInt64(feastCount))
        // A step that has no divisor in common with the count meets each once.
        return (0..<count).map { Feast(number: (start + $0 * 7919) % feastCount).id }
    }
}

extension Stored<Feast> {
    fileprivate var checksum: Int {
        entity.name.utf8.count + entity.steps.reduce(0) { $0 + $1.text.utf8.count + ($1.timerSeconds ?? 0) }
            + entity.ingredients.reduce(0) { $0 + $1.text.utf8.count + Int($1.quantity ?? 0) } + entity.labels.count
    }

    fileprivate func changed(_ number: Int) -> Stored<Feast> {
        var feast = self
        feast.entity.steps[3].text = "Step 3, as it is since pass \(number)."
        return feast
    }
}
