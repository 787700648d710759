public import LarderDomain

/// One ingredient of a recipe, which owns it.
public struct Ingredient: Entity {
    /// The maximum code points of ``text``.
    public static let maximumText = 1_000
    /// The maximum code points of ``unit``.
    public static let maximumUnit = 50

    /// The ingredient.
    public let id: EntityID<Ingredient>
    /// The whole line as written by the recipe's author, 1 to 1,000 characters: "200 g of flour, sifted".
    public let text: String
    /// The quantity in ``unit``: a finite number of at least 0.
    public let quantity: Double?
    /// The unit of the quantity, 1 to 50 characters: "g".
    public let unit: String?
    /// The required brand.
    public let brand: EntityID<Brand>?

    /// Makes an ingredient.
    ///
    /// - Parameter limits: `.stored` for texts that a store returned.
    /// - Throws: `InvalidField` naming `text`, `quantity` or `unit`.
    public init(
        id: EntityID<Ingredient>, text: String, quantity: Double? = nil, unit: String? = nil,
        brand: EntityID<Brand>? = nil, limits: TextLimits = .current
    ) throws(InvalidField) {
        let check = FieldCheck(Ingredient.self, limits)
        self.id = id
        self.text = try check.text(text, "text", atMost: Self.maximumText)
        self.unit = try check.text(unit, "unit", atMost: Self.maximumUnit)
        try check.number(quantity, "quantity", atLeast: 0)
        self.quantity = quantity
        self.brand = brand
    }
}
