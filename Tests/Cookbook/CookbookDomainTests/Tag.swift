import CookbookDomain

/// The cookbook's, not the one of the test library.
typealias Tag = CookbookDomain.Tag
