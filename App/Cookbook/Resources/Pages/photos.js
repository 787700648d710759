import {getAnswer} from "./api.js";
import {element} from "./dom.js";

const photos = new WeakMap();
const near = new IntersectionObserver(entries => {
    for (const {isIntersecting, target} of entries) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        show(target, photos.get(target));
    }
}, {rootMargin: "50%"});

/**
 * Fills a box with a photo when the box comes near to what is seen. Until then, and where no photo comes, it keeps what
 * it has. An image that loads by itself would send no token, and would not ask again for what has changed.
 */
export function fill(box, path, alt) {
    photos.set(box, {path, alt});
    near.observe(box);
}

async function show(box, {path, alt}) {
    try {
        const answer = await getAnswer(path, "image/*");
        const url = URL.createObjectURL(await answer.blob());
        const image = element("img", {src: url, alt});
        await image.decode().finally(() => URL.revokeObjectURL(url));
        box.replaceChildren(image);
    } catch {
        // The rest of the recipe is there without it.
    }
}
