export { action, default, headers, loader, meta } from "./order.tsx";

/** The form alone needs no JavaScript; the order that it opens is live. */
export const handle = { scripts: false };
