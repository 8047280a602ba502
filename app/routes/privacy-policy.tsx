import { href } from "react-router";
import { LegalPage } from "../content/legal-page.tsx";
import { describePage, prepareText } from "../content/prepare-text.ts";
import { privacyPolicy } from "../content/privacy-policy.ts";
import { shopContext } from "../shop.ts";
import type { Route } from "./+types/privacy-policy.ts";

export const handle = { scripts: false };

export function loader({ context }: Route.LoaderArgs) {
	return prepareText(privacyPolicy, href("/politique-confidentialite"), context.get(shopContext).environment);
}

export function meta({ loaderData }: Route.MetaArgs) {
	return describePage(loaderData);
}

export default function PrivacyPolicy({ loaderData }: Route.ComponentProps) {
	return <LegalPage {...loaderData} />;
}
