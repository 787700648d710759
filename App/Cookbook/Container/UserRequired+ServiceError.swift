public import CookbookDomain
public import LarderApp
public import LarderHTTP

extension UserRequired: ServiceError, ProblemConvertible {
    public var exitStatus: ExitStatus { .usage }
    public var message: String { "only a user can \(action)" }
    public var advice: String? { "Say who asks with --as EMAIL; see 'larder users' for who there is." }
    public var problem: Problem { Problem(.forbidden, "Only a user can \(action).") }
}
