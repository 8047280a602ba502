import { data, href, redirect } from "react-router";
import { AccessPage } from "../../../desk/access/access-page.tsx";
import { changeAccess, listOwnPasskeys, listOwnSessions } from "../../../desk/access/change-access.server.ts";
import { Passkeys } from "../../../desk/access/passkeys.tsx";
import { AlertsPanel } from "../../../desk/alerts/alerts-panel.tsx";
import { readAlerts } from "../../../desk/alerts/change-alerts.server.ts";
import { keepUnsent } from "../../../desk/shell/keep-page.ts";
import { readDeskForm } from "../../../desk/shell/read-desk-form.server.ts";
import { getActor, requireOperator } from "../../../desk/shell/signed-in.server.ts";
import { useLastAnswer } from "../../../desk/shell/use-last-answer.ts";
import { isFresh } from "../../../operators/change-sign-in.server.ts";
import { roleLabels } from "../../../operators/roles.ts";
import { shopContext } from "../../../shop.ts";
import type { Route } from "./+types/access";

export { keepPage as shouldRevalidate } from "../../../desk/shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Mon accès – bureau" }];

export async function loader({ context }: Route.LoaderArgs) {
	const signedIn = requireOperator(context);
	const shop = context.get(shopContext);
	const { name, email, roles } = signedIn.operator;
	return {
		name,
		email,
		roles: roles.map((role) => roleLabels[role]),
		sessions: await listOwnSessions(shop, signedIn),
		alerts: await readAlerts(shop, signedIn.operator),
		passkeys: await listOwnPasskeys(shop, signedIn),
		isFresh: isFresh(shop, signedIn),
	};
}

export async function action({ request, context }: Route.ActionArgs) {
	const form = await readDeskForm(request);
	const change = await changeAccess(context.get(shopContext), requireOperator(context), getActor(context), { form, request });
	if (change.signedOut) return redirect(change.signedOut === "all" ? `${href("/bureau/connexion")}?termine` : href("/bureau/connexion"));
	const { ok, text, recoveryCodes, cookies = [] } = change;
	return data({ ok, text, ...(recoveryCodes && { recoveryCodes }) }, { headers: cookies.map((cookie) => ["set-cookie", cookie]) });
}

/** A password is not kept to be sent later. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
	keepUnsent(
		() => serverAction(),
		(_why, text) => ({ ok: false, text }),
	);

export default function AccessRoute({ loaderData, actionData }: Route.ComponentProps) {
	return (
		<AccessPage {...loaderData} answer={useLastAnswer(actionData)}>
			<AlertsPanel {...loaderData.alerts} />
			<Passkeys passkeys={loaderData.passkeys} />
		</AccessPage>
	);
}
