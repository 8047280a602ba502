import { href } from "react-router";
import { dataProtection } from "../content/data-protection.ts";
import { LegalPage } from "../content/legal-page.tsx";
import { describePage, prepareText } from "../content/prepare-text.ts";
import { shopContext } from "../shop.ts";
import type { Route } from "./+types/data-protection.ts";

export const handle = { scripts: false };

export function loader({ context }: Route.LoaderArgs) {
	return prepareText(dataProtection, href("/politique-rgpd"), context.get(shopContext).environment);
}

export function meta({ loaderData }: Route.MetaArgs) {
	return describePage(loaderData);
}

export default function DataProtection({ loaderData }: Route.ComponentProps) {
	return <LegalPage {...loaderData} />;
}
