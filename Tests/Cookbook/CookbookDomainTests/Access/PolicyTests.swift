import CookbookDomain
import LarderDomain
import Testing

@Suite("Permissions by role and ownership")
struct PolicyTests {
    @Test(arguments: [
        PolicyLine(.anonymous, .foreign, "r", closed: ""), .init(.anonymous, .nobodys, "r", closed: ""),
        .init(.reader, .own, "r"), .init(.reader, .foreign, "r"), .init(.reader, .nobodys, "r"),
        .init(.cook, .own, "rcud"), .init(.cook, .foreign, "r"), .init(.cook, .nobodys, "r"),
        .init(.admin, .own, "rcud"), .init(.admin, .foreign, "rcud"), .init(.admin, .nobodys, "rcud"),
        .init(.system, .foreign, "rcud"), .init(.system, .nobodys, "rcud"),
    ])
    func `recipes are readable by all, and writable by the cook who owns them`(line: PolicyLine) throws {
        let recipe = try Things.recipe(owner: Person.owner(line.ownership))
        for (isOpen, expected) in [(true, line.open), (false, line.closed)] {
            let policy = RecipePolicy(line.kind.caller, readingIsOpen: isOpen)
            #expect(policy.allowed(recipe, to: try recipe.rated(5)) == expected)
            #expect(policy.allowed(recipe, to: recipe.cooked()) == expected)
        }
    }

    @Test(arguments: [
        PolicyLine(.anonymous, .nobodys, "r", closed: ""), .init(.reader, .nobodys, "r"), .init(.cook, .nobodys, "rc"),
        .init(.admin, .nobodys, "rcud"), .init(.system, .nobodys, "rcud"),
    ])
    func `everyone can read tags, brands and photos, cooks add them, and admins change them`(
        line: PolicyLine
    ) throws {
        for (isOpen, expected) in [(true, line.open), (false, line.closed)] {
            let caller = line.kind.caller
            let (tag, brand, photo) = (try Things.tag(), try Things.brand(), try Things.photo())
            #expect(CommonsPolicy<Tag>(caller, readingIsOpen: isOpen).allowed(tag, to: tag) == expected)
            #expect(CommonsPolicy<Brand>(caller, readingIsOpen: isOpen).allowed(brand, to: brand) == expected)
            #expect(CommonsPolicy<Photo>(caller, readingIsOpen: isOpen).allowed(photo, to: photo) == expected)
        }
    }

    static let privateThings = [
        PolicyLine(.anonymous, .foreign, ""), .init(.reader, .own, "rcud"), .init(.reader, .foreign, ""),
        .init(.cook, .own, "rcud"), .init(.cook, .foreign, ""), .init(.admin, .own, "rcud"),
        .init(.admin, .foreign, "rcud"), .init(.system, .foreign, "rcud"),
    ]

    @Test(arguments: privateThings)
    func `cookbooks and cooking sessions are accessible to their user and admins`(line: PolicyLine) throws {
        let owner = try #require(Person.owner(line.ownership))
        let (cookbook, session) = (try Things.cookbook(owner: owner), try Things.session(user: owner))
        #expect(CookbookPolicy(line.kind.caller).allowed(cookbook, to: cookbook.recording(id(9))) == line.open)
        #expect(CookingSessionPolicy(line.kind.caller).allowed(session, to: session) == line.open)
    }

    @Test(arguments: [
        PolicyLine(.anonymous, .foreign, ""), .init(.reader, .own, "ru"), .init(.reader, .foreign, ""),
        .init(.cook, .own, "ru"), .init(.cook, .foreign, ""), .init(.admin, .own, "rcud"),
        .init(.admin, .foreign, "rcud"), .init(.system, .foreign, "rcud"),
    ])
    func `users can read themselves and change their names, admins can do all`(line: PolicyLine) throws {
        let (old, policy) = (Person.owner(line.ownership), UserPolicy(line.kind.caller))
        let user = try Things.user(try #require(old))
        #expect(policy.allowed(user, to: try Things.user(user.id, firstName: "Else")) == line.open)
        let beyondNames = line.kind.caller.isAdmin
        #expect(policy.mayUpdate(user, to: try Things.user(user.id, role: .admin)) == beyondNames)
        #expect(policy.mayUpdate(user, to: try Things.user(user.id, email: "else@example.org")) == beyondNames)
    }

    @Test(arguments: CallerKind.allCases)
    func `only an admin can transfer ownership`(kind: CallerKind) throws {
        let (me, other) = (Person.me, Person.other)
        let isAllowed = kind.caller.isAdmin
        for (old, new) in [(me, other), (other, me)] {
            let recipe = try Things.recipe(owner: old)
            #expect(RecipePolicy(kind.caller).mayUpdate(recipe, to: recipe.owned(by: new)) == isAllowed)
            #expect(RecipePolicy(kind.caller).mayUpdate(recipe, to: recipe.owned(by: nil)) == isAllowed)
            let cookbook = try Things.cookbook(owner: old)
            #expect(CookbookPolicy(kind.caller).mayUpdate(cookbook, to: cookbook.owned(by: new)) == isAllowed)
            let (mine, theirs) = (try Things.session(user: old), try Things.session(user: new))
            #expect(CookingSessionPolicy(kind.caller).mayUpdate(mine, to: theirs) == isAllowed)
        }
    }
}
