public import ArgumentParser
public import CookbookDomain

extension RecipeSort: ExpressibleByArgument {}

extension Role: ExpressibleByArgument {}

extension LanguageTag: ExpressibleByArgument {}
