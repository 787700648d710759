"""What schemathesis does not know by itself: how lines of JSON are sent, and which texts no body may contain."""
import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(_, value):
    return value if isinstance(value, bytes) else str(value).encode()


def without_nul(value):
    """The value with U+FFFD in the place of each U+0000 in its texts and names."""
    if isinstance(value, str):
        return value.replace("\0", "\ufffd")
    if isinstance(value, list):
        return [without_nul(item) for item in value]
    if isinstance(value, dict):
        return {without_nul(name): without_nul(item) for name, item in value.items()}
    return value


@schemathesis.hook
def before_call(context, case, kwargs):
    """Sends no U+0000 where a valid body has it. It is refused everywhere, but a schema can say that only of the members
    that it names; unlike filters of generated values, this applies in all phases."""
    if case.meta is not None and case.meta.generation.mode.is_positive:
        case.body = without_nul(case.body)
