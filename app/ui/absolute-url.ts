import { href } from "react-router";

/** The URL of one of our routes with its host, for e-mails, partners and search engines; inside pages, `href()` is enough. */
export function absoluteUrl<Path extends Parameters<typeof href>[0]>(baseUrl: string, ...route: Parameters<typeof href<Path>>): string {
	return baseUrl + href(...route);
}
