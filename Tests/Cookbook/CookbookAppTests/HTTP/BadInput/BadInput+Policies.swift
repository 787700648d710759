import LarderApp
import LarderHTTP

extension BadInput {
    /// Requests without sufficient permissions.
    static let policies: [BadInput] = [
        BadInput(
            "a recipe by nobody", "POST /v1/recipes", body: #"{"name":"a"}"#, is: .unauthorized, says: "Send a token"),
        BadInput(
            "a recipe by a reader", "POST /v1/recipes as cleo", body: #"{"name":"a"}"#, is: .forbidden,
            says: "creating recipe"),
        BadInput(
            "a recipe for somebody else", "POST /v1/recipes as bob", body: #"{"name":"a","owner":"<cleo>"}"#,
            is: .forbidden,
            says: "creating recipe"),
        BadInput(
            "a change of another's recipe", "PATCH /v1/recipes/<bread> as bob", "If-Match: *", body: #"{"name":"a"}"#,
            is: .forbidden, says: "changing recipe"),
        BadInput(
            "another's recipe deleted", "DELETE /v1/recipes/<bread> as bob", "If-Match: *", is: .forbidden,
            says: "deleting recipe"),
        BadInput(
            "another's recipe rated", "POST /v1/recipes/<bread>/rate as bob", body: #"{"rating":5}"#, is: .forbidden,
            says: "changing recipe"),
        BadInput(
            "a recipe given away", "PATCH /v1/recipes/<recipe> as bob", "If-Match: *", body: #"{"owner":"<cleo>"}"#,
            is: .forbidden, says: "changing recipe"),
        BadInput(
            "a photo for another's recipe", "PUT /v1/recipes/<bread>/photo as bob", "Content-Type: image/gif",
            "If-None-Match: *", body: "(bytes 47 49 46 38 39 61)", is: .forbidden, says: "owner and admins"),
        BadInput(
            "a tag renamed by a cook", "PATCH /v1/tags/<tag> as bob", "If-Match: *", body: #"{"name":"a"}"#,
            is: .forbidden,
            says: "changing tag"),
        BadInput("another's cookbook", "GET /v1/cookbooks/<cookbook> as cleo", is: .notFound, says: "The cookbook"),
        BadInput(
            "another's cookbook changed", "PATCH /v1/cookbooks/<cookbook> as cleo", "If-Match: *",
            body: #"{"name":"a"}"#, is: .notFound, says: "The cookbook"),
        BadInput(
            "another's cookbook deleted", "DELETE /v1/cookbooks/<cookbook> as cleo", "If-Match: *", is: .notFound,
            says: "The cookbook"),
        BadInput(
            "cooking into another's cookbook", "POST /v1/recipes/<recipe>/cook as cleo",
            body: #"{"cookbook":"<cookbook>"}"#, is: .notFound, says: "The cookbook"),
        BadInput("another's session", "GET /v1/sessions/<session> as cleo", is: .notFound, says: "The cooking session"),
        BadInput(
            "a session for somebody else", "POST /v1/sessions as cleo", body: #"{"user":"<bob>"}"#, is: .forbidden,
            says: "creating cooking session"),
        BadInput("another user", "GET /v1/users/<bob> as cleo", is: .notFound, says: "The user"),
        BadInput(
            "a reader who would be admin", "PATCH /v1/users/<cleo> as cleo", "If-Match: *", body: #"{"role":"admin"}"#,
            is: .forbidden, says: "changing user"),
        BadInput(
            "a cook who registers users", "POST /v1/users as bob",
            body: #"{"email":"a@b","firstName":"A","lastName":"B"}"#, is: .forbidden, says: "creating user"),
        BadInput("another's tokens", "GET /v1/users/<bob>/tokens as cleo", is: .notFound, says: "The user"),
        BadInput(
            "a token of one's own", "POST /v1/users/<cleo>/tokens as cleo", body: #"{"label":"a"}"#, is: .forbidden,
            says: "permission to issue tokens"),
        BadInput("users seen by nobody", "GET /v1/users", is: .unauthorized, says: "Send a token"),
        BadInput("measurements for a cook", "GET /metrics as bob", is: .forbidden, says: "an admin"),
        BadInput(
            "an admin's user who has recipes deleted", "DELETE /v1/users/<bob> as ada", "If-Match: *", is: .conflict,
            says: "still referenced"),
    ]
}
