import {parse} from "./yaml.js";

/** The API's description: what is asked of it to show it. Mappings are Maps. */
export class Description {
    constructor(text) {
        this.root = parse(text);
    }

    get info() { return this.root.get("info"); }
    get tags() { return this.root.get("tags"); }
    get schemas() { return this.root.get("components").get("schemas"); }

    /** What a value is, whether it stands here or is referred to. */
    resolved(value) {
        let seen = 0;
        while (value instanceof Map && value.has("$ref")) {
            if (seen++ > 20) throw new Error(`${value.get("$ref")} refers to itself`);
            const target = value.get("$ref").replace(/^#\//, "").split("/")
                .reduce((place, name) => place?.get(name), this.root);
            if (target === undefined) throw new Error(`there is no ${value.get("$ref")}`);
            const own = [...value].filter(([name]) => name !== "$ref");
            value = new Map([...target, ...own]);
        }
        return value;
    }

    /** All operations in their order: method, path, the operation, and the parameters of path and operation. */
    get operations() {
        const methods = new Set(["get", "put", "post", "patch", "delete"]);
        return [...this.root.get("paths")].flatMap(([path, item]) => [...item]
            .filter(([method]) => methods.has(method))
            .map(([method, operation]) => ({
                method, path, operation,
                parameters: [...item.get("parameters") ?? [], ...operation.get("parameters") ?? []]
                    .map(parameter => this.resolved(parameter)),
            })));
    }

    /** Who may call an operation: "nobody needs a token", for example. */
    access(operation) {
        const security = operation.get("security") ?? this.root.get("security");
        if (security.length === 0) return "Needs no token.";
        return security.some(one => one.size === 0)
            ? "Needs no token unless reading is closed." : "Needs a token: Authorization: Bearer larder_…";
    }

    /** The members of an object's schema, those of all parts of an `allOf` in one. */
    members(schema) {
        const found = {members: new Map(), required: new Set()};
        this.#collect(this.resolved(schema), found);
        return found;
    }

    #collect(schema, found) {
        for (const part of schema.get("allOf") ?? []) this.#collect(this.resolved(part), found);
        for (const name of schema.get("required") ?? []) found.required.add(name);
        for (const [name, member] of schema.get("properties") ?? []) {
            // A later part narrows what an earlier one says.
            found.members.set(name, new Map([...found.members.get(name) ?? [], ...member]));
        }
    }
}

/** The name of the schema that a schema refers to. */
export function referredName(schema) {
    return schema?.get?.("$ref")?.split("/").at(-1) ?? null;
}

/** A schema's bounds in words: `1 to 200 characters`. */
export function bounds(schema) {
    const words = [];
    const range = (least, most, unit) => {
        const [low, high] = [schema.get(least), schema.get(most)];
        if (low !== undefined && high !== undefined) words.push(`${low} to ${high}${unit}`);
        else if (high !== undefined) words.push(`at most ${high}${unit}`);
        else if (low !== undefined) words.push(`at least ${low}${unit}`);
    };
    range("minLength", "maxLength", " characters");
    range("minimum", "maximum", "");
    range("minItems", "maxItems", " entries");
    if (schema.get("uniqueItems")) words.push("none twice");
    if (schema.has("const")) words.push(`always ${schema.get("const")}`);
    if (schema.has("enum")) words.push(`one of ${schema.get("enum").map(one => one ?? "null").join(", ")}`);
    if (schema.has("default")) words.push(`without it ${schema.get("default")}`);
    return words;
}
