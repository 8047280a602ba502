import { data, href, redirect } from "react-router";
import { formatLongDay } from "../../catalogue/instants.ts";
import { maxFollowedCompanies } from "../../catalogue/link-lifetimes.ts";
import { noTopicSentence, readChoices } from "../../companies/alerts/alert-choices.ts";
import { listSteps } from "../../companies/alerts/alert-steps.ts";
import { type AlertsAct, type AlertsActOutcome, changeAlerts, readAlerts } from "../../companies/alerts/manage-alerts.server.ts";
import { ManagePage } from "../../companies/alerts/manage-page.tsx";
import { LinkStepPage } from "../../content/email-links/link-step-page.tsx";
import { readLinkStep } from "../../content/email-links/read-link-step.ts";
import { shopContext } from "../../shop.ts";
import { readLine } from "../../ui/forms/text.ts";
import { privateHeaders, readForm } from "../../web/http.ts";
import type { Route } from "./+types/manage";

export const handle = { scripts: false };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) => [
	{ title: loaderData?.ok ? "Mes alertes" : loaderData?.section.heading },
	{ name: "robots", content: "noindex" },
];

/** What the page says after each act. */
const doneSentences: Record<string, string> = {
	change: "Vos choix sont enregistrés.",
	end: "Vous ne suivez plus cette entreprise.",
	"end-all": "Toutes vos alertes sont arrêtées.",
	keep: "Vos alertes sont prolongées.",
	follow: "Vous suivez cette entreprise.",
};

export async function loader({ params, request, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const mailbox = await readAlerts(shop, params.token);
	if (!mailbox.ok) {
		const step = listSteps[mailbox.code];
		return data({ ok: false as const, ...readLinkStep(step, href("/alertes"), shop.textVariables) }, { status: step.status });
	}
	const { companies, endsAt } = mailbox;
	const done = doneSentences[new URL(request.url).searchParams.get("fait") ?? ""] ?? null;
	return data({ ok: true as const, companies, endsOn: endsAt && formatLongDay(endsAt), watched: await shop.readWatch(), done });
}

const refusals: Record<Exclude<Extract<AlertsActOutcome, { ok: false }>["code"], "link">, string> = {
	topics: noTopicSentence,
	siren: "Un SIREN a neuf chiffres.",
	unavailable: "Aucune entreprise que vous pouvez suivre n’a ce SIREN.",
	followed: "Vous suivez déjà cette entreprise.",
	full: `Vous suivez déjà ${maxFollowedCompanies} entreprises, le plus possible. Arrêtez d’abord une alerte.`,
};

export async function action({ params, request, context }: Route.ActionArgs) {
	const form = await readForm(request);
	const act = readAct(form);
	if (act === null) return data(null, { status: 400 });
	const outcome = await changeAlerts(context.get(shopContext), params.token, act);
	if (outcome.ok) return redirect(`${href("/alertes/:token", params)}?fait=${act.do}`, 303);
	// the loader shows why the link cannot be used
	if (outcome.code === "link") return null;
	const alertId = act.do === "change" ? act.alertId : null;
	const typed = act.do === "follow" ? act.siren.slice(0, 40) : "";
	return data({ sentence: refusals[outcome.code], alertId, typed }, { status: 400 });
}

/** @returns null for a form that is none of the page. */
function readAct(form: FormData): AlertsAct | null {
	const [name, alertId] = [form.get("do"), readLine(form.get("alert"))];
	if (name === "follow") return { do: "follow", siren: readLine(form.get("siren")) };
	if (name === "change") return { do: name, alertId, choices: readChoices(form) };
	if (name === "end") return { do: name, alertId };
	return name === "end-all" || name === "keep" ? { do: name } : null;
}

export default function Manage({ loaderData, actionData }: Route.ComponentProps) {
	if (!loaderData.ok) return <LinkStepPage {...loaderData} />;
	const { companies, endsOn, watched, done } = loaderData;
	return (
		<ManagePage companies={companies} endsOn={endsOn} watched={watched} done={actionData ? null : done} refused={actionData ?? null} />
	);
}
