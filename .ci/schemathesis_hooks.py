"""What schemathesis does not know by itself: how lines of JSON are sent."""
import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(_, value):
    return value if isinstance(value, bytes) else str(value).encode()
