import CookbookDomain
import LarderDomain

/// The content of the databases of all releases: what users entered, and what the current release shows of it. The
/// latter is written down here and not computed by steps.
enum HistoricalData {
    enum Kind: UInt64 {
        case user = 1
        case tag, photo, brand, recipe, step, ingredient, cookbook, session, comment, entry
    }

    static func id(_ kind: Kind, _ number: Int) -> RawID {
        RawID(high: 0x0190 << 8 | kind.rawValue, low: UInt64(number))
    }

    static func id<E>(_ kind: Kind, _ number: Int, _ type: E.Type = E.self) -> EntityID<E> {
        EntityID(id(kind, number))
    }

    /// The version of a root; versions must not change.
    static func version(_ number: Int) -> Int64 { Int64(1 + number % 4) }

    /// First and last names. A person with one name was split into that and a hyphen.
    static let names = [
        ("Ada", "Lovelace"), ("Jean-Luc", "Picard d’Arc"), ("Zoë", "Müller"), ("李", "小龍"), ("Plato", "-"),
        ("Søren", "Åkesson"), ("𝒜lan", "🦄 Turing"), ("José", "Núñez y Pérez"), ("אבי", "כהן"), ("x̌", "q̣̇"),
        ("O'Neil", "\"; DROP TABLE user; --"), ("Bo", "Bo Bo"),
    ]

    /// The names of tags as entered, and as they became unique.
    static let tags = [
        ("Hot", "Hot"), ("Hot", "Hot (2)"), ("Vegan", "Vegan"), ("Crème", "Crème"), ("Hot", "Hot (3)"), ("🌶️", "🌶️"),
        ("Vegan", "Vegan (2)"), ("Hot (2)", "Hot (2) (2)"), ("冬", "冬"), ("mild", "mild"),
    ]

    /// The spellings of brands: the first one in the order of ids, which the brand got, and another one.
    static let brands = [("MILLER", "Miller"), ("Böhme", "BÖHME"), ("Acme 🏭", "ACME 🏭")]
    static let keywords = [["flour", "whole wheat"], [], ["ö", "日本"]]
    static let languages = ["en", "de", "pt-br"]

    static let recipes = 1...24
    static let photos = 1...6

    static func name(ofRecipe number: Int) -> String {
        let words = ["Soup", "Crêpes Suzette", "麻婆豆腐", "🥘 Paella", "x̌", "חומוס", "İstanbul", "100% 'raw' \\ _"]
        return "\(words[number % words.count]) \(number)"
    }

    static func summary(ofRecipe number: Int) -> String? {
        number.isMultiple(of: 3) ? nil : "Line one\nLine \(number) with “quotes”, 'quotes' and \t a tab"
    }

    static func preparationSeconds(_ number: Int) -> Int? { number % 4 == 1 ? nil : number * 90 }
    static func preparationMinutes(_ number: Int) -> Int? { number % 4 == 1 ? nil : number * 3 / 2 }
    static func cookingSeconds(_ number: Int) -> Int? { number % 5 == 2 ? nil : number * 120 + 59 }
    static func cookingMinutes(_ number: Int) -> Int? { number % 5 == 2 ? nil : number * 2 }

    /// The amount and the unit of a yield, and both as one text.
    static func yield(_ number: Int) -> (amount: Int?, unit: String?, text: String?) {
        switch number % 3 {
        case 0: (nil, "", nil)
        case 1: (number, "pieces", "\(number) pieces")
        default: (number, nil, "\(number)")
        }
    }

    /// The identifier as entered, sometimes as a placeholder, and the one that remains.
    static func sourceIdentifier(_ number: Int) -> (entered: String?, unique: String?) {
        switch number % 4 {
        case 0: ("n/a", nil)
        case 1: (nil, nil)
        default: ("src-\(number)", "src-\(number)")
        }
    }

    static func published(_ number: Int) -> String? {
        number.isMultiple(of: 2) ? "2026-03-\(number < 10 ? "0" : "")\(number)" : nil
    }

    static func photo(ofRecipe number: Int) -> RawID? { number <= 4 ? id(.photo, number) : nil }
    static func owner(ofRecipe number: Int) -> RawID? { number.isMultiple(of: 3) ? id(.user, number % 12 + 1) : nil }
    static func steps(ofRecipe number: Int) -> Range<Int> { 0..<number % 3 }
    static func ingredients(ofRecipe number: Int) -> Range<Int> { 0..<1 + number % 3 }

    static func tags(ofRecipe number: Int) -> [RawID] {
        let (first, second) = (number % 10 + 1, number * 3 % 10 + 1)
        return (first == second ? [first] : [first, second]).map { id(.tag, $0) }
    }

    /// The ids of ingredients descend with the numbers of recipes.
    static func ingredientID(_ recipe: Int, _ place: Int) -> RawID { id(.ingredient, 10_000 - recipe * 10 - place) }

    /// The index of an ingredient's brand, if any.
    static func brand(_ recipe: Int, _ place: Int) -> Int? {
        let number = (recipe * 3 + place) % 5
        return number < 2 ? nil : number - 2
    }

    /// The brand as entered: empty, absent, or in one of two spellings.
    static func enteredBrand(_ recipe: Int, _ place: Int) -> String? {
        guard let brand = brand(recipe, place) else { return place == 0 ? "" : nil }
        return recipe > 20 ? brands[brand].0 : brands[brand].1
    }

    static func quantity(_ recipe: Int, _ place: Int) -> Double? { place == 0 ? 0.1 * Double(recipe) + 0.2 : nil }

    static func bytes(ofPhoto number: Int) -> [UInt8] {
        Array("GIF89a".utf8) + (0..<number * 150).map { UInt8(truncatingIfNeeded: $0 &* number) }
    }

    static func digest(ofPhoto number: Int) -> String { String(repeating: "\(number)", count: 64) }
}
