import {all, get, post, Problem, token} from "./api.js";
import {byID, element} from "./dom.js";
import {problemMessage, recipeBody} from "./views.js";

const dialog = byID("recipe");
const messages = byID("recipe-messages");

let id = null;

/** The recipe that is open, if one is. */
export function openID() {
    return id;
}

/** Opens a recipe. */
export async function open(wanted) {
    id = wanted;
    byID("recipe-name").textContent = "…";
    byID("recipe-body").replaceChildren();
    byID("recipe-state").textContent = "";
    messages.replaceChildren();
    byID("rate-form").hidden = byID("cook-form").hidden = !token.value;
    byID("needs-token").hidden = Boolean(token.value);
    if (!dialog.open) dialog.showModal();
    byID("recipe-name").focus();
    await refresh(false);
    if (token.value) await fillCookbooks().catch(report);
}

/** Closes the dialog; its close event does the rest. */
export function close() {
    if (dialog.open) dialog.close();
}

/** Reads the open recipe again. */
export async function refresh(isDeleted) {
    const wanted = id;
    if (!wanted) return;
    if (isDeleted) {
        byID("recipe-state").textContent = "This recipe was deleted.";
        return;
    }
    try {
        const recipe = await get(`/v1/recipes/${wanted}`);
        if (wanted !== id) return;
        byID("recipe-name").textContent = recipe.name;
        byID("recipe-body").replaceChildren(...recipeBody(recipe, byID("recipe-body")));
        const choice = dialog.querySelector(`[name="rating"][value="${recipe.rating}"]`);
        // A selection in progress is kept.
        if (choice && !byID("rate-form").contains(document.activeElement)) choice.checked = true;
    } catch (error) {
        if (wanted === id) report(error);
    }
}

async function fillCookbooks() {
    const cookbooks = await all("/v1/cookbooks");
    if (!id) return;
    const options = cookbooks.map(cookbook => element("option", {value: cookbook.id}, cookbook.name));
    byID("cookbook").replaceChildren(...options, element("option", {value: ""}, "a new cookbook, “My cookbook”"));
}

function report(error) {
    messages.replaceChildren(problemMessage(Problem.of(error)));
    messages.scrollIntoView({block: "nearest"});
}

/** Runs the action of a form, one at a time, and shows the outcome. */
function submitting(form, work) {
    form.addEventListener("submit", async event => {
        event.preventDefault();
        const button = form.querySelector("button");
        // Not `disabled`, which would remove the focus.
        if (button.getAttribute("aria-disabled") === "true") return;
        button.setAttribute("aria-disabled", "true");
        messages.replaceChildren();
        byID("recipe-state").textContent = "";
        try {
            byID("recipe-state").textContent = await work(new FormData(form), id);
            await refresh(false);
        } catch (error) {
            report(error);
        } finally {
            button.removeAttribute("aria-disabled");
        }
    });
}

submitting(byID("rate-form"), async (fields, recipe) => {
    const {rating} = await post(`/v1/recipes/${recipe}/rate`, {rating: Number(fields.get("rating"))});
    return rating === 0 ? "The rating was removed." : `Rated ${rating} of 5.`;
});

submitting(byID("cook-form"), async (fields, recipe) => {
    let cookbook = fields.get("cookbook");
    if (!cookbook) {
        cookbook = (await post("/v1/cookbooks", {name: "My cookbook"})).id;
        await fillCookbooks();
        byID("cookbook").value = cookbook;
    }
    const session = await post(`/v1/recipes/${recipe}/cook`, {cookbook, repetitions: Number(fields.get("repetitions"))});
    return session.repetitions === 1 ? "Cooked once." : `Cooked ${session.repetitions} times.`;
});

byID("close").addEventListener("click", close);
dialog.addEventListener("close", () => {
    // The card may have been replaced in the meantime.
    document.querySelector(`.card[data-id="${id}"] a`)?.focus();
    id = null;
    // Data that required the token is removed with it.
    byID("cookbook").replaceChildren();
    byID("recipe-body").replaceChildren();
    byID("recipe-name").textContent = "";
    if (location.hash.startsWith("#recipe/")) history.replaceState(null, "", location.pathname + location.search);
});
