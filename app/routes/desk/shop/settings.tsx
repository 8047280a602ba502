import { keepUnsentAct } from "../../../desk/acts/act-form.tsx";
import { answerActForm } from "../../../desk/acts/answer-act-form.server.ts";
import { AlertsPanel } from "../../../desk/alerts/alerts-panel.tsx";
import { readAlerts } from "../../../desk/alerts/change-alerts.server.ts";
import { readSettingsData } from "../../../desk/settings/read-settings.server.ts";
import { SettingsPage } from "../../../desk/settings/settings-page.tsx";
import { requireOperator } from "../../../desk/shell/signed-in.server.ts";
import { shopContext } from "../../../shop.ts";
import type { Route } from "./+types/settings";

export { keepPage as shouldRevalidate } from "../../../desk/shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Réglages – bureau" }];

export async function loader({ context }: Route.LoaderArgs) {
	const { operator } = requireOperator(context, "settings");
	const shop = context.get(shopContext);
	return { data: await readSettingsData(shop), alerts: await readAlerts(shop, operator) };
}

export const action = (args: Route.ActionArgs) => answerActForm(args);

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) => keepUnsentAct(request, () => serverAction());

export default function SettingsRoute({ loaderData: { data, alerts } }: Route.ComponentProps) {
	return (
		<SettingsPage data={data}>
			<AlertsPanel {...alerts} />
		</SettingsPage>
	);
}
