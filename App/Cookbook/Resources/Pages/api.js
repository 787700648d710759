/** An error response of the API: RFC 9457 problem details. */
export class Problem extends Error {
    constructor(details) {
        super(details.detail ?? details.title);
        this.details = details;
    }

    /** A problem for a response that did not arrive or could not be read. */
    static of(error) {
        if (error instanceof Problem) return error;
        return new Problem({title: "Cannot reach the server", detail: String(error?.message ?? error)});
    }
}

const key = "larder-token";

/** The token, kept until the tab is closed. */
export const token = {
    get value() { return sessionStorage.getItem(key); },
    set value(text) {
        if (text) sessionStorage.setItem(key, text);
        else sessionStorage.removeItem(key);
    },
};

/** 128 random bits. `crypto.randomUUID` is missing on pages loaded without TLS. */
function randomKey() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");
}

async function ask(method, path, {body, headers = {}, signal, as = token.value}) {
    const all = {...headers};
    if (as) all.Authorization = `Bearer ${as}`;
    if (body !== undefined) all["Content-Type"] = "application/json";
    const answer = await fetch(path, {
        method, signal, headers: all, body: body === undefined ? undefined : JSON.stringify(body), redirect: "error",
        referrerPolicy: "no-referrer",
    });
    if (answer.ok) return answer;
    throw new Problem(await json(answer) ?? {title: `The server answered ${answer.status}`, status: answer.status});
}

async function json(answer) {
    const isJSON = /^application\/(problem\+)?json\b/.test(answer.headers.get("Content-Type") ?? "");
    return isJSON ? await answer.json() : null;
}

async function send(method, path, {headers = {}, ...rest} = {}) {
    const all = {Accept: "application/json, application/problem+json", ...headers};
    return json(await ask(method, path, {headers: all, ...rest}));
}

/** Sends a request for other data than JSON; the response's body is still unread. */
export function getAnswer(path, type, {headers = {}, ...rest} = {}) {
    return ask("GET", path, {headers: {Accept: `${type}, application/problem+json`, ...headers}, ...rest});
}

/** Reads JSON. */
export function get(path, options) {
    return send("GET", path, options);
}

/** Posts with a new Idempotency-Key, so that the request can be repeated if no response arrived. */
export async function post(path, body) {
    const headers = {"Idempotency-Key": randomKey()};
    try {
        return await send("POST", path, {body, headers});
    } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        return await send("POST", path, {body, headers});
    }
}

/** Reads all pages of a list. */
export async function all(path, options) {
    const items = [];
    let after = null;
    do {
        const rest = after ? `&after=${encodeURIComponent(after)}` : "";
        const page = await get(`${path}?limit=200${rest}`, options);
        items.push(...page.items);
        after = page.next;
    } while (after);
    return items;
}
