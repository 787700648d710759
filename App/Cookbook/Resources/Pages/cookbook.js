import {all, get, Problem, token} from "./api.js";
import {follow} from "./changes.js";
import {byID, debounced, element} from "./dom.js";
import {close, open, openID, refresh as refreshOpen} from "./recipe.js";
import {card, changeLine, problemMessage, summary} from "./views.js";

const pageSize = 24;
const logLength = 30;
/** The maximum number of names to look up per commit; further changes are only counted. */
const namedAtOnce = 5;

const list = byID("list");
const more = byID("more");
const messages = byID("page-messages");

let shown = new Map();
/** Recipes whose cards are rebuilt even if the list is equal: a photo changes without a change of its path. */
let stale = new Set();
let next = null;
let total = 0;
let running = null;
let waiting = {ids: new Set(), tags: false, timer: null};
let lookups = 0;

function filter() {
    const words = byID("words").value;
    const isSearch = /[\p{L}\p{N}]/u.test(words);
    // A search is ordered by rank. A disabled field is not sent.
    byID("sort").disabled = isSearch;
    const fields = new FormData(byID("search"));
    // The last word may not be complete yet.
    fields.set("search", isSearch ? words.replace(/(?<=[\p{L}\p{M}\p{N}])$/u, "*") : "");
    return new URLSearchParams([...fields].filter(([, value]) => value !== ""));
}

function report(error) {
    if (error.name === "AbortError") return;
    messages.replaceChildren(problemMessage(Problem.of(error)));
}

/** Shows recipes in their order, and keeps the cards of unchanged ones. */
function show(recipes) {
    const before = shown;
    shown = new Map(recipes.map(recipe => {
        const text = JSON.stringify(recipe);
        const known = before.get(recipe.id);
        const isSame = known?.text === text && !stale.has(recipe.id);
        return [recipe.id, isSame ? known : {text, name: recipe.name, card: card(recipe, known?.card)}];
    }));
    stale = new Set();
    const focused = document.activeElement?.closest?.(".card")?.dataset.id;
    const cards = [...shown.values()].map(entry => entry.card);
    if (cards.length !== list.children.length || cards.some((one, index) => one !== list.children[index])) {
        list.replaceChildren(...cards);
        if (focused) shown.get(focused)?.card.querySelector("a").focus({preventScroll: true});
    }
    more.hidden = next === null;
    byID("count").textContent = total === 0 ? "No matching recipes."
        : `${shown.size} of ${total} ${total === 1 ? "recipe" : "recipes"}`;
}

/** Reads the list again, at least as many items as were shown. */
async function load(atLeast = pageSize) {
    running?.abort();
    const turn = running = new AbortController();
    const recipes = [];
    let after = null;
    do {
        const query = filter();
        query.set("limit", String(Math.min(200, atLeast - recipes.length)));
        if (after) query.set("after", after);
        else query.set("total", "true");
        const page = await get(`/v1/recipes?${query}`, {signal: turn.signal});
        recipes.push(...page.items);
        total = page.total ?? total;
        after = page.next;
    } while (after && recipes.length < atLeast);
    next = after;
    messages.replaceChildren();
    show(recipes);
}

async function loadMore() {
    const count = shown.size;
    more.disabled = true;
    try {
        await load(count + pageSize);
        list.children[count]?.querySelector("a").focus();
    } catch (error) {
        report(error);
    } finally {
        more.disabled = false;
    }
}

async function loadTags() {
    const select = byID("tag");
    const chosen = select.value;
    const options = (await all("/v1/tags")).map(tag => element("option", {value: tag.id}, tag.name));
    select.replaceChildren(select.options[0], ...options);
    select.value = chosen;
    if (select.selectedIndex < 0) select.selectedIndex = 0;
}

function search() {
    load().catch(report);
}

/** Reads changed data again, once for all changes within half a second. */
function refresh(withTags, ids) {
    waiting.tags ||= withTags;
    for (const id of ids) {
        waiting.ids.add(id);
        stale.add(id);
    }
    waiting.timer ??= setTimeout(catchUp, 500);
}

async function catchUp() {
    const {ids, tags} = waiting;
    waiting = {ids: new Set(), tags: false, timer: null};
    if (tags) loadTags().catch(report);
    await load(Math.max(pageSize, shown.size)).catch(report);
    for (const id of ids) {
        const changed = shown.get(id)?.card;
        changed?.classList.add("changed");
        setTimeout(() => changed?.classList.remove("changed"), 4_000);
    }
}

/** Reads all data again, immediately. */
function readAgain() {
    clearTimeout(waiting.timer);
    waiting.tags = true;
    stale = new Set(shown.keys());
    catchUp();
    refreshOpen(false);
}

/** Starts with the token, or anonymously. Data is read after the stream has started, so no change is missed. */
function begin() {
    listen();
    // If the stream starts late, the data is read before, and then again.
    refresh(true, []);
}

/** Removes data that required the token. */
function clear() {
    running?.abort();
    shown = new Map();
    list.replaceChildren();
    more.hidden = true;
    byID("count").textContent = "";
    byID("live").replaceChildren();
    byID("tag").replaceChildren(byID("tag").options[0]);
}

/** The name of a changed entity; null if it is deleted, or if too many lookups are in progress. */
async function nameOf(change) {
    const paths = {recipe: "recipes", tag: "tags", brand: "brands", cookbook: "cookbooks"};
    if (change.kind === "deleted") return shown.get(change.id)?.name ?? null;
    if (!paths[change.entity] || lookups >= namedAtOnce) return null;
    lookups += 1;
    try {
        return (await get(`/v1/${paths[change.entity]}/${change.id}`)).name;
    } catch {
        return null;
    } finally {
        lookups -= 1;
    }
}

function log(...lines) {
    byID("live").prepend(...lines);
    while (byID("live").children.length > logLength) byID("live").lastElementChild.remove();
}

async function changed(committed) {
    // A photo changes with its recipe.
    const changes = committed.filter(change => change.entity !== "photo");
    if (changes.length === 0) return;
    const named = changes.slice(0, namedAtOnce);
    const names = await Promise.all(named.map(nameOf));
    if (changes.length > named.length) log(element("li", {}, `and ${changes.length - named.length} more changes`));
    log(...named.map((change, index) => changeLine(change, names[index])));
    refresh(changes.some(change => change.entity === "tag"), changes.map(change => change.id));
    const own = changes.find(change => change.id === openID());
    if (own) refreshOpen(own.kind === "deleted");
}

/** Shows what happened while the page was disconnected: a summary above the last changes. */
async function missed(committed) {
    const changes = committed.filter(change => change.entity !== "photo");
    await changed(committed);
    if (changes.length) log(element("li", {}, `While you were disconnected: ${summary(changes)}.`));
}

function follows() {
    const id = /^#recipe\/([0-9a-f-]{36})$/.exec(location.hash)?.[1];
    if (id) open(id);
    else close();
}

async function useToken(text) {
    const state = byID("token-state");
    try {
        await get("/v1/cookbooks?limit=1", {as: text});
        token.value = text;
        byID("token").value = "";
        tokenState("Your token is in use.");
        begin();
    } catch (error) {
        const problem = Problem.of(error);
        state.textContent = problem.details.status === 401 ? "The server rejected this token." : problem.message;
    }
}

function tokenState(text) {
    byID("token-state").textContent = text;
    byID("forget").hidden = !token.value;
}

byID("search").addEventListener("submit", event => {
    event.preventDefault();
    if (event.target.reportValidity()) search();
});
byID("search").addEventListener("input", debounced(250, () => {
    if (byID("search").checkValidity()) search();
}));
more.addEventListener("click", loadMore);
byID("token-form").addEventListener("submit", event => {
    event.preventDefault();
    const text = byID("token").value.trim();
    if (text) useToken(text);
});
byID("forget").addEventListener("click", () => {
    token.value = null;
    tokenState("The token was removed.");
    clear();
    begin();
    byID("token").focus();
});
addEventListener("hashchange", follows);

const listen = follow({
    onBegin: readAgain,
    onChanges: changed,
    onMissed: missed,
    onStale: readAgain,
    onReset: wasDisconnected => {
        log(element("li", {}, wasDisconnected
            ? "The changes while you were disconnected are unknown. All data was read again."
            : "Some changes are unknown. All data was read again."));
        readAgain();
    },
    onState: text => { byID("live-state").textContent = text; },
});

tokenState(token.value ? "Your token is in use." : "");
begin();
follows();
