public import LarderApp
internal import NIOCore

#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#else
private import Darwin
#endif

extension CommandFailure {
    /// The reason why a server cannot listen on its address; `nil` for other errors.
    public init?(_ error: any Error, listeningAs settings: ServerSettings) {
        let address = settings.address(port: settings.port)
        let advice =
            "Name another with --http-host and --http-port, or \(Setting.httpHost.variable) and \(Setting.httpPort.variable)."
        switch error {
        case let error as IOError where error.errnoCode == EADDRINUSE:
            self.init(
                .busy, "\(address) cannot be served: another program listens on port \(settings.port)",
                advice: "Name another port with --http-port or \(Setting.httpPort.variable); 0 takes any that is free.")
        case let error as IOError where error.errnoCode == EACCES || error.errnoCode == EPERM:
            self.init(
                .forbidden, "\(address) cannot be served: you may not listen on port \(settings.port)", advice: advice)
        case let error as IOError where error.errnoCode == EADDRNOTAVAIL:
            self.init(
                .configuration, "\(address) cannot be served: '\(settings.host)' is no address of this machine",
                advice: advice)
        case is SocketAddressError.UnknownHost:
            self.init(
                .configuration, "\(address) cannot be served: nobody knows the name '\(settings.host)'", advice: advice)
        default: return nil
        }
    }
}
