import { index, type RouteConfig, route } from "@react-router/dev/routes";

/** Every URL of the shop → its file. Texts and URLs are French, code is English. */
export default [
	index("routes/home.tsx"),
	route("healthz", "routes/healthz.ts"),
] satisfies RouteConfig;
