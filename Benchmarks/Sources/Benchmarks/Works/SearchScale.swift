import LarderData
import LarderDomain
import LarderInfrastructure

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Searches among 100,000 letters of about 90 distinct words, and the cost of the words for writes and reads.
///
/// `make bench ONLY=search` ends with an error if the first page of a search with 1,000 hits takes too long.
struct SearchScale {
    /// A new store, and a function that returns its size in bytes.
    typealias Opened = (store: any Store, byteCount: () throws -> Int)

    private static let limit = 30.0
    private static let page = 20

    struct Missed: Error { let names: [String] }

    let count: Int
    /// Opens a new store with a name.
    let open: (_ name: String, SchemaSet) async throws -> Opened

    static func inSQLite(_ folder: URL, _ name: String, _ schemas: SchemaSet) async throws -> Opened {
        let path = folder.appending(path: "\(name).sqlite").path
        let store = try await SQLiteStore.open(.init(.file(path), durability: .normal), schemas: schemas)
        return (store, { try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0 })
    }

    func run() async throws {
        let page = Self.page
        Report.row("\(count) letters", ["insert s", "CPU s", "MB", "page ms", "save µs"])
        let plain = try await filled(PlainLetterMapper.self)
        await plain.store.close()
        let searched = try await filled(LetterMapper.self)

        print()
        Report.row("first page of \(page), median and worst of 21", ["hits", "ms", "worst", "limit"])
        let hits = max(1, count / 100)
        var missed: [String] = []
        for (name, text, isJudged) in [
            ("one word", "rare", true), ("a word and a frequent one", "rare ipsum", true),
            ("three words", "rare ipsum dolor", true), ("a prefix", "rar*", true),
            ("a prefix, a frequent one, a word", "rar* ip* dolor", true), ("two frequent words", "left right", true),
            ("a frequent word", "ipsum", false),
            ("a frequent prefix", "i*", false),
        ] {
            let query = Query<Letter>(search: text, limit: page)
            let found = try await searched.manager.read(Query<Letter>(search: text, limit: 1, includesTotal: true))
                .total
            let times = try await Self.times { try await searched.manager.read(query).items.count }
            let limit = text == "left right" ? 2 * Self.limit : Self.limit
            let isMissed = isJudged && (found != hits || times[20] / 1e3 > limit)
            if isMissed { missed.append(name) }
            Report.row(
                name + ": " + text,
                ["\(found ?? 0)"] + [times[10], times[20]].map { Report.decimal($0 / 1e3) }
                    + [isJudged ? Report.decimal(limit) : ""], isJudged ? (isMissed ? "missed" : "met") : "")
        }
        var second = Query<Letter>(search: "rare ipsum dolor", limit: page)
        second.after = try await searched.manager.read(second).next
        let later = try await Self.times { [second] in try await searched.manager.read(second).items.count }
        Report.row(
            "the second page of three words", ["", Report.decimal(later[10] / 1e3), Report.decimal(later[20] / 1e3)])
        await searched.store.close()
        if !missed.isEmpty { throw Missed(names: missed) }
    }

    /// A store with the letters, whose inserts, pages and saves are measured.
    private func filled(
        _ mapper: any EntityMapper<Letter>.Type
    ) async throws -> (store: any Store, manager: StoreManager) {
        let mappers = try MapperSet([mapper])
        let (store, byteCount) = try await open("\(mapper)", mappers.schemas)
        let manager = StoreManager(store, mappers: mappers)
        let processor = clock()
        let insert = try await Timed.measure {
            for start in stride(from: 0, to: count, by: 1_000) {
                try await manager.create(contentsOf: (start..<min(start + 1_000, count)).map { Letter(number: $0) })
            }
            return count
        }
        // POSIX counts a million per second.
        let seconds = Double(clock() - processor) / 1e6
        let list = try await Self.times { try await manager.read(Query<Letter>(limit: 100)).items.count }
        let saves = max(1, count / 100)
        let save = try await Timed.measure {
            for number in 0..<saves {
                var letter = Letter(number: number * (count / saves))
                letter.subject += " saved"
                try await manager.save(letter)
            }
            return saves
        }
        Report.row(
            mapper == LetterMapper.self ? "with a search" : "without",
            [
                insert.duration.microseconds / 1e6, seconds, Double(try byteCount()) / 1_048_576, list[10] / 1e3,
                save.duration.microseconds / Double(saves),
            ].map(Report.decimal))
        return (store, manager)
    }

    private static func times(_ work: () async throws -> Int) async throws -> [Double] {
        var times: [Double] = []
        for _ in 0..<21 { times.append(try await Timed.measure(work).duration.microseconds) }
        return times.sorted()
    }
}

struct Letter: Entity {
    let id: EntityID<Letter>
    var subject: String
    var sheets: [Sheet]

    struct Sheet: Entity {
        let id: EntityID<Sheet>
        let text: String
    }

    init(id: EntityID<Letter>, subject: String, sheets: [Sheet]) {
        (self.id, self.subject, self.sheets) = (id, subject, sheets)
    }

    /// A letter with words of a vocabulary of 20,000, which are as frequent as those of natural languages: 300 of them
    /// make up 60 % of a text. One letter in 100 has the word `rare`, half of them have `left` or `right`, and one in 100
    /// has both.
    init(number: Int) {
        var bits = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 | 1
        func words(_ count: Int) -> String {
            (0..<count).map { _ in
                bits = bits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let word = Int(exp(Double(bits >> 11) / Double(1 << 53) * 9.9))
                return ["ipsum", "dolor", "Amet", "crème", "sed"].dropFirst(word - 1).first ?? "w\(word)ord"
            }.joined(separator: " ")
        }
        let high = 0x018B_CFE5_6800_7000 &+ UInt64(number) << 16
        func id(_ part: UInt64) -> RawID { RawID(high: high, low: 0x8000_0000_0000_0000 | part << 40 | UInt64(number)) }
        self.init(
            id: EntityID(id(0)),
            subject: "ipsum dolor " + words(4) + (number % 100 == 7 ? " rare" : "")
                + (number % 100 <= 50 ? " left" : "") + (number % 100 >= 50 ? " right" : ""),
            sheets: (1...5).map { Sheet(id: EntityID(id($0)), text: words(28)) })
    }
}

enum LetterMapper: EntityMapper {
    static let mapping = Mapping<Letter>(
        "letter", id: \.id,
        [
            .column("subject", \.subject), .children("sheets", \.sheets, SheetMapper.self),
            .search(
                "words", [SearchField(weight: 8) { [$0.subject] }, SearchField(weight: 1) { $0.sheets.map(\.text) }]),
        ])

    static func entity(from row: inout ObjectReader) throws -> Letter {
        try Letter(id: row.id(), subject: row.next(), sheets: row.children(SheetMapper.self))
    }
}

enum PlainLetterMapper: EntityMapper {
    static let mapping = Mapping<Letter>(
        "letter", id: \.id, [.column("subject", \.subject), .children("sheets", \.sheets, SheetMapper.self)])

    static func entity(from row: inout ObjectReader) throws -> Letter { try LetterMapper.entity(from: &row) }
}

enum SheetMapper: EntityMapper {
    static let mapping = Mapping<Letter.Sheet>("sheet", id: \.id, [.column("text", \.text)])

    static func entity(from row: inout ObjectReader) throws -> Letter.Sheet {
        try Letter.Sheet(id: row.id(), text: row.next())
    }
}
