import { dataProtection } from "../content/data-protection.ts";
import { factsOf } from "../content/facts.ts";
import { LegalPage } from "../content/legal-page.tsx";
import { fillIn } from "../content/legal-text.ts";
import { shopContext } from "../shop.ts";
import { pageMeta } from "../ui/site.ts";
import type { Route } from "./+types/data-protection.ts";

export const handle = { scripts: false };

export function loader({ context }: Route.LoaderArgs) {
	return fillIn(dataProtection, factsOf(context.get(shopContext).environment));
}

export const meta: Route.MetaFunction = (page) => pageMeta(page, page.loaderData);

export default function DataProtection({ loaderData }: Route.ComponentProps) {
	return <LegalPage text={loaderData} />;
}
