internal import LarderDomain

/// The error that an action throws. Fails the law if the action succeeds or throws an error that is not a store's.
func failure<Result>(of what: String, _ action: () async throws -> Result) async throws -> PersistencyError {
    do {
        _ = try await action()
    } catch let error as PersistencyError {
        return error
    }
    throw LawBroken("\(what) did not fail")
}

/// The conflict that an action throws.
@discardableResult
func conflict<Result>(of what: String, _ action: () async throws -> Result) async throws -> Conflict {
    let error = try await failure(of: what, action)
    guard case .conflict(let conflict) = error else { throw LawBroken("\(what) did not throw conflict: \(error)") }
    return conflict
}

/// The duplicate error that an action throws.
@discardableResult
func duplicate<Result>(of what: String, _ action: () async throws -> Result) async throws -> Duplicate {
    let error = try await failure(of: what, action)
    guard case .duplicate(let duplicate) = error else { throw LawBroken("\(what) did not throw duplicate: \(error)") }
    return duplicate
}

/// The dangling reference that an action throws.
@discardableResult
func dangling<Result>(of what: String, _ action: () async throws -> Result) async throws -> Dangling {
    let error = try await failure(of: what, action)
    guard case .dangling(let dangling) = error else { throw LawBroken("\(what) did not throw dangling: \(error)") }
    return dangling
}

/// The refused deletion that an action throws.
@discardableResult
func refusal<Result>(of what: String, _ action: () async throws -> Result) async throws -> Refusal {
    let error = try await failure(of: what, action)
    guard case .refused(let refusal) = error else { throw LawBroken("\(what) did not throw refused: \(error)") }
    return refusal
}

/// The invalid field in the error that an action throws.
@discardableResult
func invalidField<Result>(of what: String, _ action: () async throws -> Result) async throws -> InvalidField {
    let error = try await failure(of: what, action)
    guard case .invalid(let field) = error else { throw LawBroken("\(what) did not throw invalid: \(error)") }
    return field
}

/// Fails the law unless an action throws an "unsupported query" error.
func expectUnsupported<Result>(_ what: String, _ action: () async throws -> Result) async throws {
    let error = try await failure(of: what, action)
    guard case .unsupportedQuery = error else { throw LawBroken("\(what) did not throw unsupportedQuery: \(error)") }
}

/// Fails the law unless an action throws a "not found" error.
func expectNotFound<Result>(_ what: String, _ action: () async throws -> Result) async throws {
    let error = try await failure(of: what, action)
    guard case .notFound = error else { throw LawBroken("\(what) did not throw notFound: \(error)") }
}

/// Fails the law unless an action fails because the store is closed.
func expectClosed<Result>(_ what: String, _ action: () async throws -> Result) async throws {
    let error = try await failure(of: what, action)
    guard case .unavailable(let trouble) = error, trouble.reason == .closed else {
        throw LawBroken("\(what) did not throw closed: \(error)")
    }
}

/// Fails the law unless an action fails because it uses the wrong manager.
func expectOutside<Result>(_ what: String, _ action: () async throws -> Result) async throws {
    let error = try await failure(of: what, action)
    guard case .outsideTransaction = error else {
        throw LawBroken("\(what) did not throw outsideTransaction: \(error)")
    }
}
