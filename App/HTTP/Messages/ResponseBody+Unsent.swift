public import Hummingbird

extension ResponseBody {
    /// The body of a response to `HEAD` if the length of the body for `GET` is unknown: no bytes, and no length.
    ///
    /// A route with this body handles `HEAD` explicitly; Hummingbird derives `HEAD` from `GET`, with a length of 0.
    /// ``HTTPService`` sends no bytes of the body; other servers may send the end of an empty body.
    public static var unsent: ResponseBody {
        ResponseBody { writer in try await writer.finish(nil) }
    }
}
