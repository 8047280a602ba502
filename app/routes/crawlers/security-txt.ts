import { day } from "../../../server/durations.ts";
import { shopContext } from "../../shop.ts";
import { absoluteUrl } from "../../ui/absolute-url.ts";
import type { Route } from "./+types/security-txt.ts";

/** The validity of the file: RFC 9116 recommends less than a year. */
const validity = 180 * day;

/** The contact for vulnerabilities (RFC 9116). URLs of pages must be https, so a demo without https gives none. */
export function loader({ context }: Route.LoaderArgs) {
	const { environment, now } = context.get(shopContext);
	const { baseUrl, shop } = environment;
	const pages = [
		`Canonical: ${absoluteUrl(baseUrl, "/.well-known/security.txt")}`,
		`Policy: ${absoluteUrl(baseUrl, "/securite")}#signaler`,
	];
	const fields = [
		`Contact: mailto:${shop.email}`,
		`Expires: ${new Date(now().getTime() + validity).toISOString()}`,
		"Preferred-Languages: fr",
		...(baseUrl.startsWith("https://") ? pages : []),
	];
	return new Response(`${fields.join("\n")}\n`, {
		headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "public, max-age=3600" },
	});
}
