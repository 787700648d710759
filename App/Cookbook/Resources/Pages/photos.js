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
 * Fills a box with a photo when the box is near the visible area. Until then, or without a photo, it keeps its content.
 * A plain image element would send no token, and would not revalidate a changed photo.
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
        // The rest of the recipe is shown without the photo.
    }
}
