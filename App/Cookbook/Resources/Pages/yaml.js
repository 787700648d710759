/**
 * Reads the part of YAML that the API's description is written in: block and flow mappings and sequences, plain and
 * quoted scalars on one line, literal blocks, comments. Anything else is an error that names the line, never a guess.
 *
 * A mapping becomes a Map, because names such as `get` or `200` must keep their order.
 */
export function parse(text) {
    const reader = new BlockReader(text.split("\n"));
    const value = reader.value(0);
    reader.skipBlank();
    if (!reader.isAtEnd) reader.fail("something stands outside the document");
    return value;
}

const mapEntry = /^((?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s'"[\]{},#&*!|>%@`-][^#]*?|-[^\s#][^#]*?))\s*:(?:\s+(.*))?$/;

class BlockReader {
    constructor(lines) {
        this.lines = lines;
        this.index = 0;
    }

    get isAtEnd() { return this.index >= this.lines.length; }
    get line() { return this.lines[this.index]; }
    get indent() { return this.line.length - this.line.trimStart().length; }
    get content() { return this.line.trim(); }

    fail(reason) {
        throw new SyntaxError(`YAML, line ${this.index + 1}: ${reason}`);
    }

    skipBlank() {
        while (!this.isAtEnd && (this.content === "" || this.content.startsWith("#"))) this.index += 1;
    }

    /** The block that begins here, if it stands at least this deep; null otherwise. */
    value(least) {
        this.skipBlank();
        if (this.isAtEnd || this.indent < least) return null;
        if (this.line.includes("\t")) this.fail("there is a tab");
        const isList = this.content === "-" || this.content.startsWith("- ");
        return isList ? this.sequence(this.indent) : this.mapping(this.indent);
    }

    sequence(depth) {
        const items = [];
        for (this.skipBlank(); !this.isAtEnd && this.indent === depth; this.skipBlank()) {
            if (!/^-(\s|$)/.test(this.content)) break;
            const rest = this.content.slice(1).trim();
            if (rest === "") {
                this.index += 1;
                items.push(this.value(depth + 1));
            } else if (mapEntry.test(rest) && !/^[[{'"]/.test(rest)) {
                // The mapping's first entry stands behind the hyphen.
                this.lines[this.index] = " ".repeat(this.line.indexOf("-") + 2) + this.line.trim().slice(2);
                items.push(this.mapping(this.indent));
            } else {
                items.push(this.scalar(rest, depth));
            }
        }
        return items;
    }

    mapping(depth) {
        const map = new Map();
        for (this.skipBlank(); !this.isAtEnd && this.indent === depth; this.skipBlank()) {
            const match = mapEntry.exec(this.content);
            if (!match) this.fail("this is no entry of a mapping");
            const key = String(new FlowReader(match[1], () => this.fail("this is no key")).whole());
            if (map.has(key)) this.fail(`'${key}' is there twice`);
            const rest = (match[2] ?? "").trim();
            if (rest === "" || rest.startsWith("#")) {
                this.index += 1;
                map.set(key, this.value(depth + 1));
            } else {
                map.set(key, this.scalar(rest, depth));
            }
        }
        if (!this.isAtEnd && this.indent > depth) this.fail("this is indented too far");
        return map;
    }

    scalar(text, depth) {
        if (text === "|") return this.literal(depth);
        const value = new FlowReader(text, reason => this.fail(reason)).whole();
        this.index += 1;
        return value;
    }

    /** The lines that stand deeper, with one line break at the end. */
    literal(depth) {
        const lines = [];
        for (this.index += 1; !this.isAtEnd && (this.content === "" || this.indent > depth); this.index += 1) {
            lines.push(this.line);
        }
        const margin = lines.find(line => line.trim() !== "")?.search(/\S/) ?? 0;
        return lines.map(line => line.slice(margin)).join("\n").replace(/\n*$/, "\n");
    }
}

/** Reads what stands on one line. */
class FlowReader {
    constructor(text, fail) {
        this.text = text;
        this.fail = fail;
        this.index = 0;
    }

    whole() {
        const value = this.value("#");
        this.blanks();
        if (this.index < this.text.length && this.text[this.index] !== "#") this.fail("something stands behind the value");
        return value;
    }

    blanks() {
        while (this.text[this.index] === " ") this.index += 1;
    }

    value(ends) {
        this.blanks();
        switch (this.text[this.index]) {
        case "[": return this.list();
        case "{": return this.map();
        case "'": return this.single();
        case '"': return this.double();
        default: return this.plain(ends);
        }
    }

    list() {
        const items = [];
        for (this.index += 1, this.blanks(); this.text[this.index] !== "]"; this.blanks()) {
            items.push(this.value(",]"));
            this.separator("]");
        }
        this.index += 1;
        return items;
    }

    map() {
        const map = new Map();
        for (this.index += 1, this.blanks(); this.text[this.index] !== "}"; this.blanks()) {
            const key = String(this.value(":,}"));
            this.blanks();
            if (this.text[this.index] !== ":") this.fail("a colon is missing");
            this.index += 1;
            map.set(key, this.value(",}"));
            this.separator("}");
        }
        this.index += 1;
        return map;
    }

    separator(end) {
        this.blanks();
        if (this.text[this.index] === ",") this.index += 1;
        else if (this.text[this.index] !== end) this.fail(`'${end}' is missing`);
    }

    single() {
        const match = /'((?:[^']|'')*)'/y;
        match.lastIndex = this.index;
        const found = match.exec(this.text);
        if (!found) this.fail("a quote is missing");
        this.index = match.lastIndex;
        return found[1].replaceAll("''", "'");
    }

    double() {
        const match = /"(?:[^"\\]|\\["\\/bfnrt]|\\u[0-9A-Fa-f]{4})*"/y;
        match.lastIndex = this.index;
        const found = match.exec(this.text);
        if (!found) this.fail("this is no quoted text");
        this.index = match.lastIndex;
        return JSON.parse(found[0]);
    }

    plain(ends) {
        const begin = this.index;
        const isEnd = index => ends === "#"
            ? this.text.startsWith(" #", index)
            : ends.includes(this.text[index]) && (this.text[index] !== ":" || /\s|$/.test(this.text[index + 1] ?? " "));
        while (this.index < this.text.length && !isEnd(this.index)) this.index += 1;
        const text = this.text.slice(begin, this.index).trim();
        if (text === "" || /^[&*!|>%@`]/.test(text)) this.fail(`'${text}' is not read here`);
        if (ends === "#" && /:\s/.test(text)) this.fail("a text with a colon needs quotes");
        if (text === "null" || text === "~") return null;
        if (text === "true" || text === "false") return text === "true";
        return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? Number(text) : text;
    }
}
