/** Creates an element. Texts become text nodes, and attributes are set one by one: data is never parsed as markup. */
export function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (value === true) made.setAttribute(key, "");
        else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, String(value));
    }
    made.append(...children.flat().filter(child => child !== null && child !== undefined && child !== ""));
    return made;
}

/** The element with an id, which must exist. */
export function byID(id) {
    return document.getElementById(id);
}

/** Debounces a function: of several quick calls, only the last one is made, after a pause. */
export function debounced(milliseconds, call) {
    let timer;
    return (...values) => {
        clearTimeout(timer);
        timer = setTimeout(() => call(...values), milliseconds);
    };
}
