import LarderApp
import LarderHTTP

extension BadInput {
    /// Unknown paths, and methods that a path does not support.
    static let addresses: [BadInput] = [
        BadInput("an id that is none", "GET /v1/tags/Soup", is: .notFound, says: "use a UUID"),
        BadInput(
            "an id that is cut", "GET /v1/tags/01900000-0000-7000-8000-00000000000", is: .notFound,
            says: "use a UUID"),
        BadInput("an id in braces", "GET /v1/tags/%7B<tag>%7D", is: .notFound, says: "use a UUID"),
        BadInput(
            "an id of nothing", "GET /v1/tags/01900000-0000-7000-8000-0000000000ff", is: .notFound, says: "The tag"),
        BadInput("an id of another type", "GET /v1/tags/<recipe>", is: .notFound, says: "The tag"),
        BadInput(
            "a recipe's photo that is not there", "GET /v1/recipes/<recipe>/photo", is: .notFound, says: "no photo"),
        BadInput("the photo of a tag", "GET /v1/tags/<tag>/photo", is: .notFound, says: "no resource at this path"),
        BadInput("a collection that does not exist", "GET /v1/spoons", is: .notFound, says: "no resource at this path"),
        BadInput("another version of the API", "GET /v2/recipes", is: .notFound, says: "no resource at this path"),
        BadInput("a way upwards", "GET /assets/%2e%2e%2fopenapi.yaml", is: .notFound, says: "/assets/"),
        BadInput("a page that does not exist", "GET /admin", is: .notFound, says: "no resource at this path"),
        BadInput(
            "a tag to be cooked", "POST /v1/tags/<tag>/cook as bob", body: "{}", is: .notFound, says: "no resource at"),
        BadInput("a collection deleted", "DELETE /v1/recipes as ada", is: .methodNotAllowed, says: "DELETE"),
        BadInput("a collection replaced", "PUT /v1/recipes as ada", body: "[]", is: .methodNotAllowed, says: "PUT"),
        BadInput(
            "an entity posted", "POST /v1/recipes/<recipe> as bob", body: "{}", is: .methodNotAllowed, says: "POST"),
        BadInput(
            "a photo posted", "POST /v1/recipes/<recipe>/photo as bob", body: "{}", is: .methodNotAllowed, says: "POST"),
        BadInput("a method that nobody knows", "BREW /v1/recipes", is: .methodNotAllowed, says: "BREW"),
        BadInput("a trace", "TRACE /v1/recipes", is: .methodNotAllowed, says: "TRACE"),
        BadInput(
            "a token's id of another user", "POST /v1/users/<ada>/tokens/<revoked>/revoke as ada", is: .notFound,
            says: "The access token "),
    ]

    /// Invalid query parameters of lists.
    static let queries: [BadInput] = [
        query("a parameter that does not exist", "colour=brown", "'colour'"),
        query("a parameter in another case", "Limit=1", "'Limit'"),
        query("a parameter of another list", "language=de", "'language'"),
        query("a parameter twice", "limit=1&limit=1", "'limit' is repeated"),
        query("a parameter twice, once encoded", "limit=1&l%69mit=1", "'limit' is repeated"),
        query("no items", "limit=0", "from 1 to 200"),
        query("too many items", "limit=201", "from 1 to 200"),
        query("a fraction of items", "limit=1.5", "from 1 to 200"),
        query("items with a plus", "limit=%2B1", "from 1 to 200"),
        query("items in another script", "limit=%D9%A1", "from 1 to 200"),
        query("items of nothing", "limit=", "from 1 to 200"),
        query("more items than 64 bits", "limit=99999999999999999999", "from 1 to 200"),
        query("yes for true", "total=yes", "true or false"),
        query("a percent sign alone", "name=100%", "percent-encoded"),
        query("a percent sign before no digits", "name=%zz", "percent-encoded"),
        query("bytes that are no UTF-8", "name=%ff", "percent-encoded UTF-8"),
        query("an order that does not exist", "sort=taste", "one of name"),
        query("tags with nothing between commas", "tag=<tag>,,<twin>", "ids of tags"),
        query("a tag by name", "tag=Soup", "ids of tags"),
        query("no time at all", "under=-1", "an integer"),
        query("an owner by address", "owner=bob@example.org", "a user's id"),
        query("a cursor that is none", "after=garbage", "cursor"),
        query("a cursor of nothing", "after=", "cursor"),
        query("a cursor that was cut", "limit=1&after=AV86iZIUblgnAZAAAAAAcACAAAAAAAAACgAD", "cursor"),
        query("a cursor of another order", "sort=rating&limit=1&after=<recipes.next>", "another query"),
        query("a cursor of another filter", "name=a&limit=1&after=<recipes.next>", "another query"),
        query("a cursor of another collection", "limit=1&after=<tags.next>", "another query"),
        BadInput(
            "an instant without its zone", "GET /v1/sessions?from=2026-03-01T18:30:00 as bob", is: .badRequest,
            says: "'from'"),
        BadInput("a language that is none", "GET /v1/brands?language=1", is: .badRequest, says: "'language'"),
        BadInput("an order of the export", "GET /v1/export?sort=name", is: .badRequest, says: "'sort'"),
        BadInput("a filter of changes", "GET /v1/changes?entity=recipe", is: .badRequest, says: "'entity'"),
    ]

    private static func query(_ name: String, _ query: String, _ says: String) -> BadInput {
        BadInput(name, "GET /v1/recipes?\(query)", is: .badRequest, says: says)
    }
}
