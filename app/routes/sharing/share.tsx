import { data } from "react-router";
import { describeShareLanding, openShare } from "../../customer/sharing/open-share.server.ts";
import { ShareLandingPage } from "../../customer/sharing/share-landing-page.tsx";
import { ShareRefusalPage } from "../../customer/sharing/share-refusal-page.tsx";
import { type ShareRefusalCode, shareRefusals } from "../../customer/sharing/share-refusals.ts";
import { SharedExtractPage } from "../../customer/sharing/shared-extract-page.tsx";
import { clientContext, shopContext } from "../../shop.ts";
import { readLine } from "../../ui/forms/text.ts";
import { privateHeaders, readForm, setRetryAfter } from "../../web/http.ts";
import type { Route } from "./+types/share";

export const handle = { scripts: false };

export const headers = () => privateHeaders;

/** The title is what messengers show of a link: the company, which is public, and not the customer's words. */
export const meta: Route.MetaFunction = ({ loaderData }) => {
	const company = loaderData?.door?.company;
	return [{ title: `Un extrait vous est transmis${company ? `\u00a0: ${company.name}` : ""}` }, { name: "robots", content: "noindex" }];
};

const wrongCode = "Ce code est incorrect.";
const tooManyCodes = "Trop d’essais. Réessayez dans un quart d’heure.";
const busy = "Trop de demandes arrivent en même temps. Réessayez dans une minute.";

/** Opening the link shows a button only. Also runs after the action. */
export async function loader({ params, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const door = await describeShareLanding(shop, params.token);
	const { name, legalEntity } = shop.environment.shop;
	const refusal = door.ok ? null : refuse(context, door.code);
	return data({ door: door.ok ? door : null, refusal, shop: { name, legalEntity } }, { status: refusal?.status ?? 200 });
}

/** The button, with the passcode if there is one. The page is the answer itself: nothing is stored in the reader's browser. */
export async function action({ request, params, context }: Route.ActionArgs) {
	const code = readLine((await readForm(request)).get("code"));
	const outcome = await openShare(context.get(shopContext), params.token, { code, client: context.get(clientContext).key });
	if (outcome.ok) return { opened: outcome.opened };
	switch (outcome.code) {
		case "wrong-code":
			return data({ refused: { sentence: code === "" ? "Indiquez le code." : wrongCode, limited: false } }, { status: 403 });
		case "limited":
			setRetryAfter(context, outcome);
			return data({ refused: { sentence: tooManyCodes, limited: true } }, { status: 429 });
		case "busy":
			setRetryAfter(context, { retryAfter: 60 });
			return data({ refused: { sentence: busy, limited: true } }, { status: 429 });
		default: {
			const refusal = refuse(context, outcome.code);
			return data({ refusal }, { status: refusal.status });
		}
	}
}

function refuse(context: Route.LoaderArgs["context"], code: ShareRefusalCode) {
	const refusal = shareRefusals[code];
	setRetryAfter(context, refusal);
	return refusal;
}

export default function ShareRoute({ loaderData: { door, refusal, shop }, actionData }: Route.ComponentProps) {
	const refused = actionData && "refusal" in actionData ? actionData.refusal : refusal;
	if (refused || !door) return <ShareRefusalPage {...(refused ?? shareRefusals.gone)} />;
	if (actionData && "opened" in actionData) return <SharedExtractPage shop={shop} opened={actionData.opened} />;
	return <ShareLandingPage {...door} shopName={shop.name} refused={actionData && "refused" in actionData ? actionData.refused : null} />;
}
