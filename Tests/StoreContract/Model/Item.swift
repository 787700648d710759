internal import LarderDomain

/// One root of a run, of any kind.
enum Item: Sendable, Equatable {
    case author(Author)
    case genre(Genre)
    case picture(Picture)
    case book(Book)
    case review(Review)
    case shelf(Shelf)
    case counter(Counter)

    /// `nil` for an entity that runs do not use.
    init?(_ entity: (any Entity)?) {
        switch entity {
        case let author as Author: self = .author(author)
        case let genre as Genre: self = .genre(genre)
        case let picture as Picture: self = .picture(picture)
        case let book as Book: self = .book(book)
        case let review as Review: self = .review(review)
        case let shelf as Shelf: self = .shelf(shelf)
        case let counter as Counter: self = .counter(counter)
        default: return nil
        }
    }

    var entity: any Entity {
        switch self {
        case .author(let author): author
        case .genre(let genre): genre
        case .picture(let picture): picture
        case .book(let book): book
        case .review(let review): review
        case .shelf(let shelf): shelf
        case .counter(let counter): counter
        }
    }

    var key: ItemKey {
        switch self {
        case .author(let author): ItemKey(.author, author.id.rawValue)
        case .genre(let genre): ItemKey(.genre, genre.id.rawValue)
        case .picture(let picture): ItemKey(.picture, picture.id.rawValue)
        case .book(let book): ItemKey(.book, book.id.rawValue)
        case .review(let review): ItemKey(.review, review.id.rawValue)
        case .shelf(let shelf): ItemKey(.shelf, shelf.id.rawValue)
        case .counter(let counter): ItemKey(.counter, counter.id.rawValue)
        }
    }
}

/// A root and its version.
struct KeptItem: Sendable, Equatable {
    var item: Item
    var version: Int64

    init(_ item: Item, _ version: Int64) {
        self.item = item
        self.version = version
    }
}

extension KeptItem: CustomStringConvertible {
    /// A short text that contains all the properties that can differ.
    var description: String {
        let content =
            switch item {
            case .author(let author): "\(author.name), \(author.email ?? "-")"
            case .genre(let genre): genre.name
            case .picture(let picture): "\(picture.bytes)"
            case .book(let book): book.summary
            case .review(let review):
                "\(review.stars) stars of book \(short(review.book)), reply to \(short(review.reply))"
            case .shelf(let shelf): "\(shelf.room), \(shelf.label ?? "-"), books \(shelf.books.map { short($0) })"
            case .counter(let counter): "\(counter.count)"
            }
        return "\(item.key)@\(version) (\(content))"
    }
}

extension Book {
    fileprivate var summary: String {
        let chapters = chapters.map { chapter in
            let notes = chapter.notes.map { "\(short($0.id)) \($0.text) from \(short($0.source))" }
            return "\(short(chapter.id)) \(chapter.title) \(chapter.minutes.map(String.init) ?? "-") \(notes)"
        }
        let values = "\(title), \(subtitle ?? "-"), \(pages.map(String.init) ?? "-"), \(price.map { "\($0)" } ?? "-")"
        let references = "author \(short(author)), sequel \(short(sequel)), cover \(short(cover))"
        return "\(values), \(references), chapters \(chapters), genres \(genres.map { short($0) })"
    }
}

/// The number in an id of a run.
private func short<E>(_ id: EntityID<E>?) -> String { id.map { "\($0.rawValue.low)" } ?? "-" }
