import {getAnswer, Problem} from "./api.js";

const shortestPause = 2_000;
const longestPause = 60_000;
/** The time without a change after which all missed changes have arrived: the server does not mark the last one. */
const quiet = 1_000;
/** The maximum time for which missed changes are collected, while others are made. */
const longestCollection = 10_000;

/** The events of a `text/event-stream` as the server writes it: each field has one line, which a line feed ends. */
async function* events(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
        const {value, done} = await reader.read();
        // An incomplete event is dropped.
        if (done) return;
        const texts = (rest + value).split("\n\n");
        rest = texts.pop();
        for (const text of texts) {
            const fields = text.split("\n").map(line => /^(\w+): (.*)$/s.exec(line)?.slice(1));
            yield Object.fromEntries(fields.filter(Boolean));
        }
    }
}

function sleep(milliseconds, signal) {
    return new Promise(resolve => {
        setTimeout(resolve, milliseconds);
        signal.addEventListener("abort", resolve, {once: true});
    });
}

/** One change for each entity, without entities that were created and deleted. */
function merged(changes) {
    const entities = new Map();
    for (const change of changes) {
        const isNew = (entities.get(change.id) ?? change).kind === "inserted";
        if (isNew && change.kind === "deleted") entities.delete(change.id);
        else entities.set(change.id, isNew ? {...change, kind: "inserted"} : change);
    }
    return [...entities.values()];
}

/**
 * Follows `/v1/changes` like an EventSource that sends the token and resumes after the last event, even after errors.
 * Returns a function that starts, and restarts when the token changes.
 *
 * `onBegin` is called when the stream starts without earlier changes; `onMissed`, with the changes while the page was
 * disconnected; `onStale`, when a commit changed entities that it does not name; `onReset`, when changes are unknown, with
 * whether the page was disconnected.
 */
export function follow({onBegin, onChanges, onMissed, onStale, onReset, onState}) {
    async function listen(signal) {
        let place = null;
        let pause = shortestPause;
        /** The changes since a reconnection, until they are told. */
        let missed = null;
        let timer = null;

        function collect(changes, isStale) {
            missed ??= {changes: [], isStale: false, end: Date.now() + longestCollection};
            missed.changes.push(...changes);
            missed.isStale ||= isStale;
            clearTimeout(timer);
            timer = setTimeout(() => {
                const told = missed;
                missed = null;
                if (signal.aborted) return;
                const changes = merged(told.changes);
                if (changes.length) onMissed(changes);
                if (told.isStale) onStale();
            }, Math.min(quiet, missed.end - Date.now()));
        }

        async function read() {
            const headers = place === null ? {} : {"Last-Event-ID": place};
            const answer = await getAnswer("/v1/changes", "text/event-stream", {headers, signal});
            for await (const {event, id, data} of events(answer.body)) {
                if (signal.aborted) return;
                if (event === "hello") {
                    pause = shortestPause;
                    onState("Connected: changes by others appear here.");
                    if (place === null) onBegin();
                    else collect([], false);
                }
                place = id ?? place;
                if (event === "change") {
                    const {changes, stale} = JSON.parse(data);
                    if (missed) {
                        collect(changes, Boolean(stale));
                    } else {
                        onChanges(changes);
                        if (stale) onStale();
                    }
                }
                if (event === "reset") {
                    clearTimeout(timer);
                    const wasDisconnected = missed !== null;
                    missed = null;
                    onReset(wasDisconnected);
                }
            }
        }

        while (!signal.aborted) {
            try {
                await read();
            } catch (error) {
                if (signal.aborted) return;
                const {status} = Problem.of(error).details;
                if (status === 401) return onState("Not connected: a valid token is required.");
            }
            if (signal.aborted) return;
            onState("Not connected. Trying again.");
            await sleep(pause, signal);
            pause = Math.min(pause * 2, longestPause);
        }
    }

    let turn = null;
    return () => {
        turn?.abort();
        turn = new AbortController();
        listen(turn.signal);
    };
}
