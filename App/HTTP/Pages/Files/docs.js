import {byID, debounced, element} from "./dom.js";
import {bounds, Description, referredName} from "./openapi.js";

/** Paragraphs of a text with `code`. */
function prose(text) {
    return (text ?? "").trim().split(/\n\s*\n/).filter(Boolean).map(paragraph =>
        element("p", {}, paragraph.split("`").map((part, index) => index % 2 ? element("code", {}, part) : part)));
}

function schemaLink(name) {
    return element("a", {href: `#schema-${name}`}, name);
}

/** The type of a schema's values, in words and links. */
function kind(description, schema) {
    const name = referredName(schema);
    const full = description.resolved(schema);
    const choices = full.oneOf;
    if (!name && choices) return choices.flatMap((one, index) => [index ? " or " : "", ...kind(description, one)]);
    const type = [full.type ?? (full.allOf ? "object" : "anything")].flat().map(String);
    const words = name ? [schemaLink(name)] : [type.join(" or ")];
    const items = full.items;
    if (!name && items) words.push(" of ", ...kind(description, items));
    if (!name && full.format) words.push(` (${full.format})`);
    // For a reference, only additional bounds are shown; the schema itself shows the others.
    const own = name ? schema : full;
    const rest = bounds(own);
    return rest.length ? [...words, `, ${rest.join(", ")}`] : words;
}

function member(description, name, schema, flags) {
    const full = description.resolved(schema);
    const own = schema.$ref && !schema.description ? null : full.description;
    const pattern = schema.pattern;
    return element("div", {},
        element("dt", {}, element("code", {}, name), element("span", {class: "kind"}, kind(description, schema)),
            flags.filter(Boolean).map(flag => element("span", {class: "flag"}, flag))),
        element("dd", {}, prose(own), pattern ? element("p", {class: "fine"}, "pattern ", element("code", {}, pattern)) : null));
}

function parameterList(description, parameters) {
    return element("dl", {class: "members"}, parameters.map(parameter => {
        const made = member(description, parameter.name, parameter.schema,
            [parameter.in, parameter.required ? "required" : null]);
        made.querySelector("dd").replaceChildren(...prose(parameter.description));
        return made;
    }));
}

function examples(description, media) {
    return Object.entries(media.examples ?? {}).map(([name, example]) => {
        const value = description.resolved(example).value;
        const text = typeof value === "string" ? value.trimEnd() : JSON.stringify(value, null, 2);
        return element("details", {}, element("summary", {}, `Example: ${name}`), element("pre", {tabindex: 0}, element("code", {}, text)));
    });
}

function contents(description, content) {
    return Object.entries(content ?? {}).map(([type, media]) => element("div", {},
        element("p", {}, element("code", {}, type),
            media.schema ? [": ", ...kind(description, media.schema)] : null),
        examples(description, media)));
}

function answer(description, [status, response]) {
    const full = description.resolved(response);
    const headers = Object.keys(full.headers ?? {});
    const title = status === "default" ? "any other" : status;
    return element("div", {"data-status": status},
        element("dt", {}, element("code", {}, title)),
        element("dd", {}, prose(full.description),
            headers.length ? element("p", {class: "fine"}, `with ${headers.join(", ")}`) : null,
            contents(description, full.content)));
}

function operationView(description, {method, path, operation, parameters}) {
    const body = description.resolved(operation.requestBody);
    const parts = [
        ...prose(operation.description),
        element("p", {class: "fine"}, description.access(operation)),
    ];
    if (parameters.length) parts.push(element("h4", {}, "Parameters"), parameterList(description, parameters));
    if (body) parts.push(element("h4", {}, "Body"), ...contents(description, body.content));
    parts.push(element("h4", {}, "Answers"),
        element("dl", {class: "members"}, Object.entries(operation.responses).map(one => answer(description, one))));
    return element("details", {class: "operation", id: operation.operationId},
        element("summary", {}, element("span", {class: `method ${method}`}, method.toUpperCase()),
            element("code", {}, path), element("span", {}, operation.summary)),
        element("div", {class: "content"}, parts));
}

function schemaView(description, name, schema) {
    const {members, required} = description.members(schema);
    const list = [...members].map(([key, value]) => member(description, key, value,
        [required.has(key) ? "required" : null, description.resolved(value).readOnly ? "read-only" : null]));
    const pattern = schema.pattern;
    return element("article", {class: "schema", id: `schema-${name}`},
        element("h3", {}, name),
        prose(schema.description),
        list.length ? element("dl", {class: "members"}, list) : element("p", {class: "kind"}, kind(description, schema)),
        pattern ? element("p", {class: "fine"}, "pattern ", element("code", {}, pattern)) : null);
}

function group(description, tag, operations) {
    const name = tag.name;
    return element("section", {class: "group", id: `tag-${name}`, "aria-labelledby": `tag-${name}-heading`},
        element("h3", {id: `tag-${name}-heading`}, name),
        prose(tag.description),
        operations.map(operation => operationView(description, operation)));
}

function contentsEntry(id, text, children = []) {
    return element("li", {}, element("a", {href: `#${id}`}, text), children.length ? element("ul", {}, children) : null);
}

function render(description) {
    const {operations, tags, schemas} = description;
    const groups = tags.map(tag => [tag, operations.filter(one => one.operation.tags.includes(tag.name))]);
    byID("about").replaceChildren(
        element("p", {class: "fine"}, `Version ${description.info.version}`),
        ...prose(description.info.summary), ...prose(description.info.description));
    byID("operation-list").replaceChildren(...groups.map(([tag, members]) => group(description, tag, members)));
    byID("schema-list").replaceChildren(...Object.entries(schemas).map(([name, schema]) => schemaView(description, name, schema)));
    byID("contents").replaceChildren(
        ...groups.map(([tag]) => contentsEntry(`tag-${tag.name}`, tag.name)),
        contentsEntry("problems", "Problems"), contentsEntry("schemas", "Schemas"));
    byID("loading").remove();
}

/** Shows only items that contain all words of a query. */
function find(query) {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = item => words.every(word => item.textContent.toLowerCase().includes(word));
    let counts = {};
    for (const kind of ["operation", "schema", "problem-kind"]) {
        const items = [...document.querySelectorAll(`.${kind}`)];
        for (const item of items) item.hidden = !matches(item);
        counts[kind] = items.filter(item => !item.hidden).length;
    }
    for (const group of document.querySelectorAll(".group")) {
        group.hidden = !group.querySelector(".operation:not([hidden])");
    }
    byID("found").textContent = words.length === 0 ? ""
        : `${counts.operation} operations, ${counts["problem-kind"]} problems, ${counts.schema} schemas`;
}

/** Scrolls to the element that the address names, and unfolds it. */
function follow() {
    const target = location.hash && byID(decodeURIComponent(location.hash.slice(1)));
    if (!target) return;
    if (target.hidden || target.closest("[hidden]")) {
        byID("query").value = "";
        find("");
    }
    if (target.matches("details")) target.open = true;
    target.scrollIntoView();
}

async function begin() {
    const answer = await fetch("/openapi.json");
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    render(new Description(await answer.json()));
    follow();
}

byID("filter").addEventListener("submit", event => event.preventDefault());
byID("query").addEventListener("input", debounced(150, () => find(byID("query").value)));
byID("unfold").addEventListener("click", event => {
    const isOpen = event.currentTarget.getAttribute("aria-pressed") !== "true";
    event.currentTarget.setAttribute("aria-pressed", String(isOpen));
    for (const item of document.querySelectorAll(".operation")) item.open = isOpen;
});
addEventListener("hashchange", follow);
// On a narrow screen, an open table of contents would fill the screen.
if (matchMedia("(max-width: 60rem)").matches) byID("contents-list").open = false;
begin().catch(error => {
    byID("loading").replaceChildren(
        element("span", {role: "alert"}, `Cannot show the description: ${error.message} `),
        element("a", {href: "/openapi.json"}, "Read openapi.json."));
});
