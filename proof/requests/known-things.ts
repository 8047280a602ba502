import { listRoutePatterns } from "../../test/route-paths.ts";
import type { KnownThings } from "./random-request.ts";

const customer = { email: "ada@example.fr", firstName: "Ada", lastName: "Lovelace", phone: "06 12 34 56 78" };

/** Places an order, pays it and opens its page, to get real values for random requests. */
export async function createKnownThings(url: string): Promise<KnownThings> {
	const ask = (path: string, init: RequestInit = {}) => fetch(new URL(path, url), { redirect: "manual", ...init });
	const form = (fields: Record<string, string>) => ({ method: "POST", body: new URLSearchParams(fields) });
	const placed = await ask("/api/create-payment", {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({
			orderData: { siren: "552032534", serviceType: "express", amount: 5900, deliveryMethod: "email" },
			customerData: customer,
		}),
	});
	const { url: payUrl } = (await placed.json()) as { url: string };
	const sessionId = payUrl.split("/").at(-1) ?? "";
	const resume = /\/paiement\/reprendre\/([\w.-]+)/.exec(await (await ask(payUrl)).text())?.[1] ?? "";
	await ask(payUrl, form({ intent: "pay", card: "4242 4242 4242 4242" }));
	const number = /KB-\w{4}-\w{4}/.exec(await (await ask(`/confirmation/${sessionId}`)).text())?.[0] ?? "";
	const opened = await ask("/suivi-commande", form({ email: customer.email, orderId: number }));
	return {
		patterns: listRoutePatterns(),
		cookie: opened.headers.get("set-cookie")?.split(";")[0] ?? "",
		values: {
			...Object.fromEntries(Object.entries(customer).map(([name, value]) => [name, [encodeURIComponent(value)]])),
			siren: ["552032534", "356000000", "552%20032%20534", "55203253400646"],
			sessionId: [sessionId],
			token: [resume],
			number: [number],
			orderId: [number],
			"*": ["cgv.png", "tarifs.png", "nulle-part"],
			file: ["sitemap-entreprises-1", "sitemap-entreprises-2"],
			q: ["danone", "la+poste", "552032534", "paris", "a"],
			service: ["standard", "express", "postal"],
			intent: ["pay", "confirm", "cancel", "ask-refund", "find-company", "change-company"],
			companyQuery: ["danone"],
			acceptTerms: ["on"],
			amount: ["5900"],
			card: ["4000%200000%200000%200002"],
			nom: ["Ada"],
			message: ["Bonjour"],
			postalCode: ["75002"],
			postcode: ["75002"],
			city: ["Paris"],
			address: ["1+rue+de+la+Paix"],
			_routes: ["root", "routes/search"],
		},
	};
}
