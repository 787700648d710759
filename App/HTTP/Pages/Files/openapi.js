/** An OpenAPI document as parsed JSON, with queries for the viewer. */
export class Description {
    constructor(root) {
        this.root = root;
    }

    get info() { return this.root.info; }
    get tags() { return this.root.tags; }
    get schemas() { return this.root.components.schemas; }

    /** A value, with references resolved. */
    resolved(value) {
        let seen = 0;
        while (value?.$ref !== undefined) {
            const {$ref: name, ...own} = value;
            if (seen++ > 20) throw new Error(`${name} refers to itself`);
            const target = name.replace(/^#\//, "").split("/").reduce((place, part) => place?.[part], this.root);
            if (target === undefined) throw new Error(`${name} is missing`);
            value = {...target, ...own};
        }
        return value;
    }

    /** All operations in their order: method, path, the operation, and the parameters of path and operation. */
    get operations() {
        const methods = new Set(["get", "put", "post", "patch", "delete"]);
        return Object.entries(this.root.paths).flatMap(([path, item]) => Object.entries(item)
            .filter(([method]) => methods.has(method))
            .map(([method, operation]) => ({
                method, path, operation,
                parameters: [...item.parameters ?? [], ...operation.parameters ?? []]
                    .map(parameter => this.resolved(parameter)),
            })));
    }

    /** The authentication of an operation, in a sentence. */
    access(operation) {
        const security = operation.security ?? this.root.security;
        if (security.length === 0) return "Requires no token.";
        return security.some(one => Object.keys(one).length === 0)
            ? "Requires no token unless reading is closed." : "Requires a token: Authorization: Bearer …";
    }

    /** The members of an object's schema, including those of all parts of an `allOf`. */
    members(schema) {
        const found = {members: new Map(), required: new Set()};
        this.#collect(this.resolved(schema), found);
        return found;
    }

    #collect(schema, found) {
        for (const part of schema.allOf ?? []) this.#collect(this.resolved(part), found);
        for (const name of schema.required ?? []) found.required.add(name);
        for (const [name, member] of Object.entries(schema.properties ?? {})) {
            // A later part overrides an earlier one.
            found.members.set(name, {...found.members.get(name), ...member});
        }
    }
}

/** The name of the schema that a schema refers to. */
export function referredName(schema) {
    return schema?.$ref?.split("/").at(-1) ?? null;
}

/** A schema's bounds in words: `1 to 200 characters`. */
export function bounds(schema) {
    const words = [];
    const range = (least, most, unit) => {
        const [low, high] = [schema[least], schema[most]];
        if (low !== undefined && high !== undefined) words.push(`${low} to ${high}${unit}`);
        else if (high !== undefined) words.push(`at most ${high}${unit}`);
        else if (low !== undefined) words.push(`at least ${low}${unit}`);
    };
    range("minLength", "maxLength", " characters");
    range("minimum", "maximum", "");
    range("minItems", "maxItems", " entries");
    if (schema.uniqueItems) words.push("no duplicates");
    if (schema.const !== undefined) words.push(`always ${schema.const}`);
    if (schema.enum !== undefined) words.push(`one of ${schema.enum.map(one => one ?? "null").join(", ")}`);
    if (schema.default !== undefined) words.push(`default: ${schema.default}`);
    return words;
}
