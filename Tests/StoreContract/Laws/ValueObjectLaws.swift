internal import LarderData
internal import LarderDomain

/// Laws of value objects, which are stored in columns of their entities.
enum ValueObjectLaws {
    static let all: [Law] = [
        Law(.values, "Value objects are read back, present or absent, and saving them again writes nothing") { trial in
            let venues = try trial.venues()
            for venue in venues {
                try await trial.manager.create(venue)
                try await trial.expectStored(venue, version: 1)
                let saved = try await trial.manager.save(venue)
                try expect("the outcome of saving it again", saved.outcome, is: .unchanged)
            }
            try expect("all venues", try await trial.manager.read(Query<Venue>()).entities, is: venues)
            for var venue in venues where venue.branch != nil {
                _ = try await trial.manager.read(venue.id)
                venue.branch = nil
                let saved = try await trial.manager.update(venue, expecting: 1)
                try expect("the outcome of an update without the branch", saved.outcome, is: .updated)
                try await trial.expectStored(venue, version: 2)
            }
        }.tests("part.1", "column.2"),
        Law(.values, "A value object without any value differs from an absent one") { trial in
            var venue = try trial.venues()[0]
            venue.season = nil
            try await trial.manager.create(venue)
            for season in [Season(), nil, Season(first: CalendarDay(year: 2026, month: 5, day: 1)), Season()] {
                venue.season = season
                let saved = try await trial.manager.save(venue)
                try expect("the outcome", saved.outcome, is: .updated)
                try await trial.expectStored(venue)
            }
        }.tests("part.2"),
        Law(.values, "A null beside the values of a value object is refused with the name of its column") { trial in
            for column in [
                "branch_street", "branch_city", "branch_position_latitude", "branch_position_longitude", "fee_amount",
                "fee_currency", "season",
            ] {
                var object = try VenueMapper.storageObject(from: trial.fullVenue(column))
                for index in VenueMapper.schema.columns.indices where VenueMapper.schema.columns[index].name == column {
                    object.values[index] = .null
                }
                try await trial.insert(object)
                let found = try await invalidField(of: "a venue without \(column)") {
                    try await trial.manager.read(EntityID<Venue>(object.id))
                }
                let expected = InvalidField(entity: "venue", id: object.id, field: column, reason: "is missing")
                try expect("the error", found, is: expected)
            }
        }.tests("part.3", "invalid.1", "invalid.2", "invalid.3"),
        Law(.values, "A stored value that the initializer of a value object refuses has the name of its column") {
            trial in
            for column in ["place_city", "branch_city"] {
                var object = try VenueMapper.storageObject(from: trial.fullVenue(column))
                for index in VenueMapper.schema.columns.indices where VenueMapper.schema.columns[index].name == column {
                    object.values[index] = .text("")
                }
                try await trial.insert(object)
                let found = try await invalidField(of: "a venue with an empty \(column)") {
                    try await trial.manager.read(EntityID<Venue>(object.id))
                }
                let expected = InvalidField(entity: "venue", id: object.id, field: column, reason: "must not be empty")
                try expect("the error", found, is: expected)
            }
        }.tests("part.4", "invalid.1", "invalid.2", "invalid.3"),
        Law(.changeTracking, "A changed value object writes only the columns whose values differ") { trial in
            let (store, manager) = try trial.recording()
            var venue = try trial.venues()[0]
            (venue.place, venue.branch, venue.season) = (try Location(street: "Ring", city: "Köln"), nil, nil)
            try await manager.create(venue)
            let near = Location.Position(latitude: 1, longitude: 2)
            let far = Location.Position(latitude: 1, longitude: 3)
            let steps: [(columns: [String], change: (inout Venue) throws -> Void)] = [
                (["place_city", "place_city_folded"], { $0.place = try Location(street: "Ring", city: "Bonn") }),
                (
                    ["branch_street", "branch_city", "branch_city_folded"],
                    { $0.branch = try Location(street: "Quai", city: "Metz") }
                ),
                (
                    ["branch_position_latitude", "branch_position_longitude"],
                    { $0.branch = try Location(street: "Quai", city: "Metz", position: near) }
                ),
                (
                    ["branch_position_longitude"],
                    { $0.branch = try Location(street: "Quai", city: "Metz", position: far) }
                ),
                (["season"], { $0.season = Season() }), (["season"], { $0.season = nil }),
                (
                    [
                        "branch_street", "branch_city", "branch_city_folded", "branch_position_latitude",
                        "branch_position_longitude",
                    ], { $0.branch = nil }
                ),
            ]
            for step in steps {
                try step.change(&venue)
                try await manager.save(venue)
                let written = store.commits.last?.updates.first?.changes.columns ?? []
                let names = written.map { VenueMapper.schema.columns[$0.column].name }
                try expect("the written columns", Set(names), is: Set(step.columns))
                try await trial.expectStored(venue)
            }
        }.tests("part.5"),
        Law(.uniqueness, "The columns of a value object are unique together, among the entities that have it") {
            trial in
            var (first, second) = (try trial.fullVenue("a"), try trial.fullVenue("b"))
            first.fee = Money(amount: 5, currency: "EUR")
            try await trial.manager.create(first)
            second.fee = Money(amount: 5, currency: "CHF")
            try await trial.manager.create(second)
            second.fee = Money(amount: ExactDecimal(units: 500, scale: 2), currency: "EUR")
            let twin = second
            let found = try await duplicate(of: "a fee that exists") { try await trial.manager.save(twin) }
            let columns = ["fee_amount", "fee_currency"]
            try expect(
                "the error", found, is: Duplicate(entity: "venue", columns: columns, existing: first.id.rawValue))
            for name in ["c", "d"] {
                var venue = try trial.fullVenue(name)
                venue.fee = nil
                try await trial.manager.create(venue)
            }
        }.tests("part.6"),
        Law(.uniqueness, "A value object that an entity exchanges or loses is free for another in the same commit") {
            trial in
            let venues = [try trial.fullVenue("a"), try trial.fullVenue("b"), try trial.fullVenue("c")]
            try await trial.manager.create(contentsOf: venues)
            let fees = venues.map(\.fee)
            func give(_ given: [Money?]) async throws {
                let changed = zip(venues, given).map { venue, fee in
                    var venue = venue
                    venue.fee = fee
                    return venue
                }
                try await trial.manager.save(contentsOf: changed)
                for venue in changed { try await trial.expectStored(venue) }
            }
            try await give([fees[1], fees[0], fees[2]])
            try await give([nil, fees[2], fees[1]])
            var late = try trial.fullVenue("d")
            late.fee = fees[0]
            try await trial.manager.create(late)
        }.tests("part.6"),
    ]
}

extension Trial {
    /// A venue with all values; venues with different names have different fees.
    func fullVenue(_ name: String) throws -> Venue {
        let position = Location.Position(latitude: 51, longitude: 7)
        let place = try Location(street: "Ring 1", city: "Köln", position: position)
        let amount = ExactDecimal(units: Int64(name.utf8.reduce(0) { $0 * 31 % 9_999_991 + Int($1) }), scale: 2)
        return Venue(
            id: id(), name: name, motto: "Servus", place: place, branch: place,
            season: Season(
                first: CalendarDay(year: 2026, month: 5, day: 1), last: CalendarDay(year: 2026, month: 9, day: 30)),
            fee: Money(amount: amount, currency: "EUR"))
    }

    /// Venues with and without each of their value objects, in ascending order of ids.
    func venues() throws -> [Venue] {
        let position = Location.Position(latitude: -33, longitude: 151)
        let places = [
            try Location(street: "", city: "Sydney", position: position), try Location(street: "Ring 1", city: "Köln"),
        ]
        let seasons = [nil, Season(), Season(last: CalendarDay(year: 2026, month: 9, day: 30))]
        var venues: [Venue] = []
        for place in places {
            for branch in [nil] + places {
                for season in seasons {
                    var venue = try fullVenue("venue \(venues.count)")
                    (venue.place, venue.branch, venue.season) = (place, branch, season)
                    if venues.count % 2 == 0 { (venue.fee, venue.motto) = (nil, nil) }
                    venue.halls = (0..<venues.count % 3).map { Hall(id: id(), seats: 100 * $0 + venues.count) }
                    venues.append(venue)
                }
            }
        }
        return venues
    }
}
