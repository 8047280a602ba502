import { data, href } from "react-router";
import { endAlertSteps } from "../../companies/alerts/alert-steps.ts";
import { endAlert, getEndOfAlert } from "../../companies/alerts/end-alerts.server.ts";
import { CompanyName } from "../../companies/company-name.tsx";
import { LinkStepPage } from "../../content/email-links/link-step-page.tsx";
import { readLinkStep } from "../../content/email-links/read-link-step.ts";
import { shopContext } from "../../shop.ts";
import { privateHeaders } from "../../web/http.ts";
import type { Route } from "./+types/end-alert";

export const handle = { scripts: false };

export const headers = () => privateHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData.section.heading }, { name: "robots", content: "noindex" }];

/** Also runs after the action of the button, which shows the same page in its next state. */
export async function loader({ params, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	const { state, companyName } = await getEndOfAlert(shop, params.token);
	const step = endAlertSteps[state];
	return data({ ...readLinkStep(step, href("/alertes"), shop.textVariables), companyName }, { status: step.status });
}

export async function action({ params, context }: Route.ActionArgs) {
	await endAlert(context.get(shopContext), params.token);
	return null;
}

export default function EndAlert({ loaderData: { companyName, ...step } }: Route.ComponentProps) {
	return (
		<LinkStepPage {...step}>
			{companyName && (
				<p className="mb-8 text-lg font-semibold">
					<CompanyName name={companyName} />
				</p>
			)}
		</LinkStepPage>
	);
}
