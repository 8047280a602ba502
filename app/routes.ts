import { index, type RouteConfig, route } from "@react-router/dev/routes";
import { movedPages } from "./routes/moved-pages.ts";

/** Every URL of the shop → its file. Texts and URLs are French, code is English. */
export default [
	index("routes/home.tsx"),
	route("healthz", "routes/healthz.ts"),
	route("cgv", "routes/terms-of-sale.tsx"),
	route("politique-confidentialite", "routes/privacy-policy.tsx"),
	route("politique-rgpd", "routes/data-protection.tsx"),
	route("abonnement", "routes/subscription.tsx"),
	...Object.keys(movedPages).map((path) => route(path.slice(1), "routes/redirects.ts", { id: `moved${path}` })),
	route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
