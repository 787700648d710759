internal import LarderDomain

/// Random letters, and random searches for them, judged by the vocabulary in plain Swift.
struct SearchTape {
    private var chance: Chance
    private let trial: Trial
    /// The expected letters, by id, with the numbers of the words of the subject, the sheets and the body.
    private var letters: [EntityID<Letter>: (letter: Letter, words: [[Int]])] = [:]
    private var genres: [EntityID<Genre>] = []
    /// The number of questions that found a letter.
    private(set) var answered = 0

    init(seed: UInt64, _ trial: Trial) {
        (chance, self.trial) = (Chance(seed: seed), trial)
    }

    /// Writes letters: creates, updates and deletes some, and removes a genre from others.
    mutating func change(_ count: Int, through manager: any PersistencyManager) async throws {
        if genres.isEmpty || chance.happens(oneIn: 3) {
            genres.append(trial.id(Genre.self))
            try await manager.create(Genre(genres[genres.count - 1], "Genre \(genres.count) \(genres[0])"))
        }
        for _ in 0..<count {
            let known = letters.keys.sorted { $0.rawValue < $1.rawValue }
            // Of many letters, none is created.
            switch Int.random(in: 0..<(known.count > 60 ? 4 : 8), using: &chance) {
            case 0 where !known.isEmpty:
                let id = chance.pick(known)
                letters[id] = nil
                try await manager.delete(id)
            case 1...3 where !known.isEmpty: try await manager.save(letter(chance.pick(known)))
            default: try await manager.create(letter(trial.id()))
            }
        }
        guard genres.count > 1, chance.happens(oneIn: 3) else { return }
        let genre = genres.remove(at: 0)
        try await manager.delete(genre)
        for id in letters.keys where letters[id]?.letter.genre == genre { letters[id]?.letter.genre = nil }
    }

    private mutating func letter(_ id: EntityID<Letter>) -> Letter {
        let words = (0..<3).map { _ in numbers(upTo: 4) }
        func text(_ numbers: some Sequence<Int>) -> String {
            numbers.map { Vocabulary.words[$0].written }.joined(separator: " ")
        }
        var letter = Letter(id, subject: text(words[0]), body: text(words[2]))
        letter.sheets = words[1].map { Sheet(id: trial.id(), text: text([$0])) }
        letter.genre = chance.happens(oneIn: 2) ? nil : chance.pick(genres)
        letters[id] = (letter, words)
        return letter
    }

    private mutating func numbers(upTo count: Int) -> [Int] {
        (0..<Int.random(in: 0...count, using: &chance)).map { _ in
            // The first words are frequent.
            Int.random(in: 0..<(chance.happens(oneIn: 2) ? 6 : Vocabulary.words.count), using: &chance)
        }
    }

    /// Sends one search, page by page, and compares the answer.
    mutating func ask(_ manager: any PersistencyManager, includesTotal: Bool) async throws {
        var (words, texts) = (Set<Vocabulary.Word>(), [String]())
        for number in numbers(upTo: 3) + numbers(upTo: 1) {
            let (written, searched) = Vocabulary.words[number]
            if chance.happens(oneIn: 3), let first = searched.unicodeScalars.first {
                let length = Int.random(in: 1...searched.unicodeScalars.count, using: &chance)
                let part = String(String.UnicodeScalarView(searched.unicodeScalars.prefix(length)))
                // An ideograph is a word by itself.
                words.insert(.init(text: part, isPrefix: true))
                texts.append(part + "*" + (first == "東" ? "" : ","))
            } else {
                if !searched.isEmpty { words.insert(.init(text: searched, isPrefix: false)) }
                texts.append(written)
            }
        }
        let text = texts.joined(separator: " ")
        let limit = chance.happens(oneIn: 3) ? Int.random(in: 1...4, using: &chance) : nil
        var query = Query<Letter>(search: text, limit: limit, includesTotal: includesTotal)
        guard !words.isEmpty else {
            do {
                _ = try await manager.read(query)
            } catch PersistencyError.unsupportedQuery {
                return
            }
            throw LawBroken("a search for '\(text)' is answered and should be refused")
        }
        let expected = answer(words)
        if !expected.isEmpty { answered += 1 }
        var found: [Letter] = []
        repeat {
            let page = try await manager.read(query)
            found += page.entities
            if includesTotal { try expect("the total of '\(text)'", page.total, is: expected.count) }
            query.after = page.next
        } while query.after != nil && found.count <= expected.count
        try expect("what '\(text)' finds", found.map(\.id), is: expected.map(\.id))
        try expect("what '\(text)' finds, in full", found, is: expected)
    }

    private func answer(_ words: Set<Vocabulary.Word>) -> [Letter] {
        var found: [(letter: Letter, rank: Int)] = []
        for (letter, fields) in letters.values {
            let forms = fields.map { Set($0.map { Array(Vocabulary.words[$0].searched.unicodeScalars) }) }
            func text(_ form: [Unicode.Scalar]) -> String { String(String.UnicodeScalarView(form)) }
            let all = forms.reduce(into: Set()) { $0.formUnion($1) }.filter { !$0.isEmpty }
            guard words.allSatisfy({ word in all.contains { word.matches(text($0)) } }) else { continue }
            let matching = all.filter { form in words.contains { $0.matches(text(form)) } }
            let rank = zip(forms, [8, 3, 1]).reduce(0) { $0 + $1.0.intersection(matching).count * $1.1 }
            found.append((letter, rank))
        }
        found.sort { $0.rank == $1.rank ? $0.letter.id.rawValue < $1.letter.id.rawValue : $0.rank > $1.rank }
        return found.map(\.letter)
    }
}
