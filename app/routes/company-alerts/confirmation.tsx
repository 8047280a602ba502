import { data, href } from "react-router";
import { formatChoices } from "../../companies/alerts/alert-choices.ts";
import { confirmationSteps, severalConfirmationSteps } from "../../companies/alerts/alert-steps.ts";
import { confirmAlert, getAlertConfirmation } from "../../companies/alerts/confirm-alert.server.ts";
import { alertsUrl } from "../../companies/alerts/links.server.ts";
import { companyName } from "../../companies/company-name.ts";
import { LinkStepPage } from "../../content/email-links/link-step-page.tsx";
import { readLinkStep } from "../../content/email-links/read-link-step.ts";
import { getWatchVariables } from "../../content/variables.ts";
import { shopContext } from "../../shop.ts";
import { DescriptionList } from "../../ui/description-list.tsx";
import { privateHeaders } from "../../web/http.ts";
import type { Route } from "./+types/confirmation";

export const handle = { scripts: false };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData.section.heading }, { name: "robots", content: "noindex" }];

/** Also runs after the action of the button, which shows the same page in its next state. */
export async function loader({ params, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const { state, alerts } = await getAlertConfirmation(shop, params.token);
	const [first] = alerts;
	const step = (alerts.length > 1 && severalConfirmationSteps[state]) || confirmationSteps[state];
	const shown = readLinkStep(step, href("/alertes"), { ...shop.textVariables, ...getWatchVariables(await shop.readWatch()) });
	const isOwners = first !== undefined && (state === "confirmed" || state === "full");
	return data(
		{
			...shown,
			next: isOwners ? { label: "Voir mes alertes", url: alertsUrl(shop, first.alert.follower_id) } : shown.next,
			facts: alerts.map(({ alert, companyName: name }) => ({
				company: companyName(name),
				siren: alert.siren,
				choices: formatChoices(alert),
			})),
		},
		{ status: step.status },
	);
}

export async function action({ params, context }: Route.ActionArgs) {
	await confirmAlert(context.get(shopContext), params.token);
	return null;
}

export default function AlertConfirmation({ loaderData: { facts, ...step } }: Route.ComponentProps) {
	return (
		<LinkStepPage {...step}>
			{facts.map(({ company, siren, choices }) => (
				<DescriptionList
					key={siren}
					className="mb-8"
					rows={[
						["Entreprise", company],
						["SIREN", siren],
						["Envoi", choices],
					]}
				/>
			))}
		</LinkStepPage>
	);
}
