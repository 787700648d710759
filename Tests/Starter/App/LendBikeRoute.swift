import Hummingbird
public import LarderApp
import LarderDomain
import LarderHTTP
public import LoansDomain

/// Lends a bike to the caller.
struct LendBikeRoute {
    let service: ResourceService<SignedInUser, Scope>

    func add(to group: RouterGroup<CallerContext<SignedInUser>>) {
        group.post("bikes/{id}/lend", use: lend)
    }

    private func lend(_ request: Request, _ context: CallerContext<SignedInUser>) async throws -> Response {
        let bike: EntityID<Bike> = try context.id("id")
        return try await service.posting(request, context) { scope, _ in
            guard let user = scope.user else { throw Problem(.forbidden, "Only a user can borrow a bike.") }
            let lent = try await LendBike(scope.manager).execute(bike, to: user.id)
            return try .json(BikeResource.represent([lent], in: scope)[0].json)
        }
    }

    /// The route's part of the OpenAPI document. Names and numbers refer to components of the kit.
    static let documentPart = """
        {
          "tags": [{"name": "bikes", "description": "The bikes of the service, and who has borrowed them."}],
          "paths": {"/v1/bikes/{id}/lend": {
            "parameters": ["ID", "RequestID"],
            "post": {
              "operationId": "lendBike", "tags": ["bikes"], "summary": "Borrow a bike",
              "description": "Lends the bike to the caller if it is available.",
              "parameters": ["IdempotencyKey"],
              "requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object"}}}},
              "responses": {"200": {
                "description": "The bike is lent to the caller.", "headers": ["Idempotent-Replayed", "X-Request-ID"],
                "content": {"application/json": {"schema": "Bike"}}
              }},
              "statuses": [404, 409]
            }
          }}
        }
        """
}

extension BikeIsLent: ServiceError {
    /// For commands; routes respond with the problem of the same meaning.
    public var exitStatus: ExitStatus { .conflict }
    public var message: String { "'\(name)' is already lent" }
}
