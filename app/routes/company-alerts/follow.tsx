import { data, href, redirect } from "react-router";
import { defaultChoices, noTopicSentence, readChoices } from "../../companies/alerts/alert-choices.ts";
import { askForAlert } from "../../companies/alerts/ask-for-alert.server.ts";
import { FollowPage, NoAlertPage } from "../../companies/alerts/follow-page.tsx";
import { findFollowableCompany } from "../../companies/alerts/followable-company.server.ts";
import { findBulletinReading } from "../../companies/bulletin/bulletin.server.ts";
import { canFollow } from "../../companies/company.ts";
import { findCompany } from "../../companies/find-company.server.ts";
import { parseSiren } from "../../companies/siren.ts";
import { fillIn } from "../../content/fill-in.ts";
import { getSection } from "../../content/text.ts";
import { getText } from "../../content/texts.ts";
import { maxEmailLength } from "../../mail/email-address.ts";
import { readEmail } from "../../mail/read-email.server.ts";
import { explainEmail } from "../../mail/suggest-email.ts";
import { clientContext, shopContext } from "../../shop.ts";
import { readLine } from "../../ui/forms/text.ts";
import { pageMeta } from "../../ui/site.ts";
import { readForm, setRetryAfter } from "../../web/http.ts";
import type { Route } from "./+types/follow";

export const handle = { scripts: false };

export async function loader({ params, request, context }: Route.LoaderArgs) {
	const { readDb, textVariables, readWatch } = context.get(shopContext);
	const siren = parseSiren(params.siren);
	const company = siren && (await findCompany(readDb, siren));
	if (!company || !canFollow(company))
		return data({ found: false as const, siren: company ? company.siren : null, unwatched: null }, { status: 404 });
	const text = fillIn(getText(href("/alertes")), textVariables);
	if (!(await readWatch())) return data({ found: false as const, siren: company.siren, unwatched: getSection(text, "pas-maintenant") });
	const requested = new URL(request.url).searchParams.get("demande") === "1";
	const reading = await findBulletinReading(readDb);
	return data({
		found: true as const,
		siren: company.siren,
		name: company.name ?? "cette entreprise",
		consent: getSection(text, "inscription"),
		received: requested ? getSection(text, "demande") : null,
		lastReading: reading?.importedAt ?? null,
	});
}

const tooManyRequests = "Trop de demandes ont été envoyées. Réessayez plus tard.";

/** The same answer whether the address already has alerts or not (docs/rules.md, R141). */
export async function action({ params, request, context }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	const siren = parseSiren(params.siren);
	if (siren === null || (await findFollowableCompany(shop.readDb, siren)) === null) return data(null, { status: 404 });
	// the page says why
	if (!(await shop.readWatch())) return data(null, { status: 409 });
	const form = await readForm(request);
	const [email, honeypot, choices] = [readEmail(form.get("email")), readLine(form.get("website")), readChoices(form)];
	const asked = await askForAlert(shop, { siren, email, choices, honeypot, client: context.get(clientContext).key });
	if (asked.ok) return redirect(`${href("/entreprise/:siren/alerte", { siren })}?demande=1`, 303);
	const typed = { email: email.slice(0, maxEmailLength), choices };
	if (asked.code === "limited") {
		setRetryAfter(context, asked);
		return data({ ...typed, errors: [], limited: tooManyRequests }, { status: 429 });
	}
	const wrongEmail = explainEmail(email);
	const errors = [
		...(wrongEmail ? [{ field: "email", message: wrongEmail }] : []),
		...(choices.topics.length === 0 ? [{ field: "topic", message: noTopicSentence }] : []),
	];
	return data({ ...typed, errors, limited: null }, { status: 400 });
}

export const meta: Route.MetaFunction = (page) =>
	pageMeta(page, {
		title: page.loaderData?.found ? `Être prévenu des annonces sur ${page.loaderData.name}` : "Pas d’alerte pour cette entreprise",
		index: false,
	});

export default function Follow({ loaderData, actionData }: Route.ComponentProps) {
	if (!loaderData.found) return <NoAlertPage {...loaderData} />;
	const { found, ...company } = loaderData;
	return <FollowPage {...company} {...(actionData ?? { email: "", choices: defaultChoices, errors: [], limited: null })} />;
}
