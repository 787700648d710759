internal import LarderData
internal import LarderDomain

/// Roots with two lists of owned objects, one of which has two nested lists, through every kind of read.
extension GraphLaws {
    static let lists: [Law] = [
        Law(.graph, "Both lists of owned objects are complete and in order, however their root is read") { trial in
            let magazines = try await trial.magazinesWithTwoLists()
            try await trial.expectEveryRead(of: magazines, Press.magazine)
        }.tests("store.2", "page.1", "set.22", "request.14"),
        Law(.graph, "A change of one list of owned objects leaves the other one in order, however it is read") {
            trial in
            var magazines = try await trial.magazinesWithTwoLists()
            for change in Self.changes(trial) {
                let new = magazines.map { old in
                    var new = old
                    change(&new)
                    return new
                }
                let updates = zip(magazines, new).map { old, new in old.update(to: new, expecting: old.version) }
                _ = try await trial.store.commit(ChangeSet(updates: updates))
                magazines = new.map { new in
                    var new = new
                    new.version += 1
                    return new
                }
                try await trial.expectEveryRead(of: magazines, Press.magazine)
            }
        }.tests("set.17", "set.22", "set.23", "set.24"),
    ]

    /// Changes of the second list, of nested second lists, and of the first list.
    private static func changes(_ trial: Trial) -> [@Sendable (inout StorageObject) -> Void] {
        [
            { $0.children[1] = $0.children[1].reversed() + [Press.advert(trial.rawID(), price: 99)] },
            { magazine in
                for index in magazine.children[0].indices {
                    let figures = magazine.children[0][index].children[1]
                    magazine.children[0][index].children[1] = [Press.figure(trial.rawID(), [9])] + figures.dropFirst()
                }
            },
            { $0.children[0] = Array($0.children[0].suffix(1)) },
            { $0.children[1] = [] },
        ]
    }
}

extension Trial {
    /// Stores magazines with lists of different lengths, including none, in an order that is not that of their ids.
    func magazinesWithTwoLists() async throws -> [StorageObject] {
        let (member, topic) = (Press.member(rawID(), "Ada"), Press.topic(rawID(), "Bread"))
        let lengths = [(0, 0), (0, 2), (2, 0), (1, 3), (3, 1), (4, 4)]
        let magazines = lengths.enumerated().map { number, length in
            // Later objects have smaller ids.
            let articles = ids(length.0, Author.self).reversed().enumerated().map { place, id in
                let nested = ids((place + number) % 3, Author.self).reversed()
                let figures = ids((2 * place + number) % 4, Author.self).reversed()
                return Press.article(
                    id.rawValue, "\(number) \(place)", writer: place == 1 ? member.id : nil,
                    footnotes: nested.map { Press.footnote($0.rawValue, "\(place)", topic: topic.id) },
                    figures: figures.map { Press.figure($0.rawValue, [UInt8(number), UInt8(place)]) },
                    topics: Array(repeating: topic.id, count: place % 2))
            }
            let adverts = ids(length.1, Author.self).reversed().enumerated().map { place, id in
                Press.advert(
                    id.rawValue, price: Int64(10 * number + place), sponsor: place == 0 ? member.id : nil,
                    topics: Array(repeating: topic.id, count: (place + 1) % 2))
            }
            var magazine = Press.magazine(
                rawID(), "M \(number % 4)", issue: Int64(number), articles: articles, adverts: adverts,
                topics: number % 2 == 0 ? [topic.id] : [], editors: number % 3 == 0 ? [member.id] : [])
            magazine.version = 1
            return magazine
        }
        _ = try await store.commit(ChangeSet(inserts: [member, topic] + magazines))
        return magazines
    }
}
