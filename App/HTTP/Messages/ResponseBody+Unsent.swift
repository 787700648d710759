public import Hummingbird

extension ResponseBody {
    /// The body of an answer to `HEAD` where the length of that to `GET` is not known: nothing, and no word of a length.
    ///
    /// A route that gives it takes `HEAD` itself; Hummingbird, which makes such a route of one for `GET`, would say that
    /// the length is 0. ``HTTPService`` sends no byte of it, other servers may send the end of an empty body.
    public static var unsent: ResponseBody {
        ResponseBody { writer in try await writer.finish(nil) }
    }
}
