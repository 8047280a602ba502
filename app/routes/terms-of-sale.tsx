import { href } from "react-router";
import { LegalPage } from "../content/legal-page.tsx";
import { describePage, prepareText } from "../content/prepare-text.ts";
import { termsOfSale } from "../content/terms-of-sale.ts";
import { shopContext } from "../shop.ts";
import type { Route } from "./+types/terms-of-sale.ts";

export const handle = { scripts: false };

export function loader({ context }: Route.LoaderArgs) {
	return prepareText(termsOfSale, href("/cgv"), context.get(shopContext).environment);
}

export function meta({ loaderData }: Route.MetaArgs) {
	return describePage(loaderData);
}

export default function TermsOfSale({ loaderData }: Route.ComponentProps) {
	return <LegalPage {...loaderData} />;
}
