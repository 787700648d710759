import CookbookDomain

/// The cookbook's tag, not that of the test library.
typealias Tag = CookbookDomain.Tag
