internal import LarderApp
internal import LarderDomain

/// A quantity with a unit: a number, a text, or a `QuantitativeValue`.
struct Quantity {
    /// The number or range, as text: `2`, `2-3`, `about 2`.
    let text: String?
    /// The number, if the quantity is one number of at least zero.
    let number: Double?
    let unit: String?

    /// The names of the members that it consists of.
    static let members: Set<String> = ["value", "minValue", "maxValue", "unitText", "unitCode", "unit"]

    init(_ value: JSON) {
        if let text = value.text {
            self.text = text
            (number, unit) = (value.double.flatMap { $0 >= 0 ? $0 : nil }, nil)
            return
        }
        let inner = value["value"].map(Quantity.init)
        let range = Self.range(value["minValue"]?.text, value["maxValue"]?.text)
        text = inner?.text ?? range
        number =
            inner?.number ?? (inner == nil && value["maxValue"] == value["minValue"] ? value["minValue"]?.double : nil)
        unit =
            value["unitText"]?.text ?? value["unit"]?.text ?? value["unitCode"]?.text.flatMap(Self.name) ?? inner?.unit
    }

    /// The number or range with the unit; `nil` if there is neither.
    var whole: String? {
        let parts = [text, unit].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    private static func range(_ least: String?, _ most: String?) -> String? {
        switch (least, most) {
        case (let least?, let most?): least == most ? least : "\(least)-\(most)"
        case (let least?, nil): "\(least)+"
        case (nil, let most?): "up to \(most)"
        case (nil, nil): nil
        }
    }

    /// The usual name of a unit's code of UN/CEFACT, otherwise the code; `nil` for pieces.
    private static func name(ofUnit code: String) -> String? {
        code == "C62" || code == "EA" || code == "H87" ? nil : names[code] ?? code
    }

    private static let names = [
        "GRM": "g", "KGM": "kg", "MGM": "mg", "LTR": "l", "DLT": "dl", "CLT": "cl", "MLT": "ml", "ONZ": "oz",
        "LBR": "lb",
    ]
}
