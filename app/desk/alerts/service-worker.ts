import { shopContext } from "../../shop.ts";
import { requireDesk } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/service-worker";

/** Browsers ask for it again also while nobody is signed in; it holds no data. */
export async function loader({ request, context }: Route.LoaderArgs) {
	await requireDesk(context.get(shopContext), request);
	return new Response(serviceWorker, { headers: { "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" } });
}

/**
 * The desk's service worker: shows a pushed alert, and opens its page by a tap. It caches nothing and answers no request. As a text,
 * because it is served from the desk alone.
 */
const serviceWorker = `"use strict";
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("push", (event) => {
	const { title = "Commandes à livrer", body = "", url = "/bureau/commandes", tag = "promises" } = event.data?.json() ?? {};
	const icon = "/apple-touch-icon.png";
	event.waitUntil(self.registration.showNotification(title, { body, tag, renotify: true, lang: "fr", icon, data: { url } }));
});
self.addEventListener("notificationclick", (event) => {
	event.notification.close();
	const target = new URL(event.notification.data.url, self.location.origin);
	const open = async () => {
		const windows = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
		const desk = windows.find(({ url }) => new URL(url).pathname.startsWith("/bureau/"));
		if (!desk) return self.clients.openWindow(target);
		await desk.focus();
		return desk.navigate(target);
	};
	if (target.origin === self.location.origin) event.waitUntil(open());
});
`;
