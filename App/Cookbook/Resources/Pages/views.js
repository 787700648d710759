import {element} from "./dom.js";
import {fill} from "./photos.js";

const entities = {
    recipe: "Recipe", tag: "Tag", brand: "Brand", cookbook: "Cookbook", session: "Cooking session", user: "User",
};
const kinds = {inserted: "is new", updated: "was changed", deleted: "was deleted"};

/** A duration in hours and minutes: `1 h 20 min`. */
export function duration(minutes) {
    if (minutes === null) return null;
    const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
    return [hours ? `${hours} h` : "", rest || !hours ? `${rest} min` : ""].filter(Boolean).join(" ");
}

function stars(rating) {
    if (!rating) return element("span", {}, "not rated");
    return element("span", {class: "stars", role: "img", "aria-label": `rated ${rating} of 5`},
        "★".repeat(rating) + "☆".repeat(5 - rating));
}

function separated(parts) {
    return parts.filter(Boolean).flatMap((part, index) => index ? [" · ", part] : [part]);
}

function tagList(tags) {
    return tags.length ? element("ul", {class: "tags"}, tags.map(tag => element("li", {}, tag.name))) : null;
}

/** A box for a photo; without one, it shows a letter, or the content of the previous box. */
function picture(recipe, before) {
    const letter = element("span", {"aria-hidden": "true"}, [...recipe.name][0].toUpperCase());
    const box = element("div", {class: "picture"}, recipe.photo && before?.querySelector(".picture img") || letter);
    if (recipe.photo) fill(box, recipe.photo, "");
    return box;
}

/** The card of a recipe in the list, which replaces a previous card, if any. */
export function card(recipe, before) {
    const link = element("a", {href: `#recipe/${recipe.id}`}, recipe.name);
    return element("li", {class: "card", "data-id": recipe.id},
        picture(recipe, before),
        element("div", {class: "text"},
            element("h3", {}, link),
            element("p", {class: "facts"}, separated([duration(recipe.totalMinutes), stars(recipe.rating)])),
            tagList(recipe.tags.slice(0, 4))));
}

function ingredientItem(ingredient) {
    return element("li", {}, ingredient.text);
}

function stepItem(step) {
    const timer = step.timerSeconds ? duration(Math.max(1, Math.round(step.timerSeconds / 60))) : null;
    return element("li", {}, step.text, timer ? element("span", {class: "fine"}, ` (timer: ${timer})`) : null);
}

function titledList(title, name, items) {
    return items.length ? [element("h3", {}, title), element(name, {}, items)] : [];
}

function photo(recipe, before) {
    if (!recipe.photo) return null;
    const box = element("div", {class: "photo"}, before?.querySelector(".photo img"));
    fill(box, recipe.photo, `Photo of ${recipe.name}`);
    return box;
}

/** The view of a recipe, which replaces a previous or empty element. */
export function recipeBody(recipe, before) {
    const facts = separated([
        recipe.author ? `by ${recipe.author}` : null,
        recipe.published,
        recipe.yield ? `makes ${recipe.yield}` : null,
        recipe.totalMinutes === null ? null : `takes ${duration(recipe.totalMinutes)}`,
        `difficulty ${recipe.difficulty} of 5`,
        stars(recipe.rating),
        recipe.completed ? "cooked before" : null,
    ]);
    return [
        photo(recipe, before),
        element("p", {class: "facts"}, facts),
        tagList(recipe.tags),
        recipe.summary ? element("p", {class: "summary"}, recipe.summary) : null,
        ...titledList("Ingredients", "ul", recipe.ingredients.map(ingredientItem)),
        ...titledList("Steps", "ol", recipe.steps.map(stepItem)),
    ].filter(Boolean);
}

/** A problem with its details and a link to the documentation of its kind. */
export function problemMessage({details}) {
    const list = (details.errors ?? []).map(error => element("li", {}, `${error.pointer || "the body"} ${error.detail}`));
    const isOurs = typeof details.type === "string" && details.type.startsWith("/docs#");
    const link = isOurs ? element("a", {href: details.type}, "What this means") : null;
    return element("div", {class: "message problem", role: "alert"},
        element("p", {class: "title"}, details.title ?? "Something went wrong"),
        details.detail ? element("p", {}, details.detail) : null,
        list.length ? element("ul", {}, list) : null,
        element("p", {class: "fine"}, separated([link, details.requestId ? `request ${details.requestId}` : null])));
}

/** The number of changes of each kind: `2 recipes were changed, 1 tag is new`. */
export function summary(changes) {
    const counts = new Map();
    for (const {entity, kind} of changes) {
        const key = JSON.stringify([entity, kind]);
        counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return [...counts].map(([key, count]) => {
        const [entity, kind] = JSON.parse(key);
        const noun = (entities[entity] ?? entity).toLowerCase();
        const verb = kinds[kind] ?? kind;
        return count === 1 ? `1 ${noun} ${verb}`
            : `${count} ${noun}s ${verb.replace(/^is /, "are ").replace(/^was /, "were ")}`;
    }).join(", ");
}

/** A line of the log of changes. */
export function changeLine(change, name) {
    const now = new Date();
    const what = entities[change.entity] ?? change.entity;
    const label = name ? `${what} “${name}”` : what;
    const isOpen = change.entity === "recipe" && change.kind !== "deleted";
    return element("li", {"data-kind": change.kind, "data-id": change.id},
        element("time", {datetime: now.toISOString()}, now.toLocaleTimeString()),
        isOpen ? element("a", {href: `#recipe/${change.id}`}, label) : label,
        ` ${kinds[change.kind] ?? change.kind}`);
}
