/**
 * Follows `/v1/changes`. The browser comes back by itself when a connection ends, with the id of the last event; where
 * the server refused the stream, it gives up, and this begins anew after a while.
 *
 * An EventSource cannot send a token, so the stream tells what everybody may see.
 */
export function follow({onChanges, onReset, onState}) {
    let pause = 2_000;

    function open() {
        const source = new EventSource("/v1/changes");
        source.addEventListener("hello", () => {
            pause = 2_000;
            onState("Connected: what others change shows up here.");
        });
        source.addEventListener("change", event => onChanges(JSON.parse(event.data).changes));
        source.addEventListener("reset", event => onReset(JSON.parse(event.data).reason));
        source.addEventListener("shutdown", () => onState("The server stops. Trying again."));
        source.addEventListener("error", () => {
            onState("Not connected. Trying again.");
            if (source.readyState !== EventSource.CLOSED) return;
            setTimeout(open, pause);
            pause = Math.min(pause * 2, 60_000);
        });
    }

    open();
}
