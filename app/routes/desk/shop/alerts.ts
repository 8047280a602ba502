import { href, redirect } from "react-router";
import { changeAlerts } from "../../../desk/alerts/change-alerts.server.ts";
import { keepUnsent } from "../../../desk/shell/keep-page.ts";
import { readDeskForm } from "../../../desk/shell/read-desk-form.server.ts";
import { getActor } from "../../../desk/shell/signed-in.server.ts";
import { shopContext } from "../../../shop.ts";
import type { Route } from "./+types/alerts";

export const loader = () => redirect(href("/bureau/mon-acces"));

/** An operator's own duty and devices. A browser without JavaScript is led back to its own access. */
export async function action({ request, context }: Route.ActionArgs) {
	const answer = await changeAlerts(context.get(shopContext), getActor(context), await readDeskForm(request));
	const asksForPage = request.headers.get("accept")?.includes("text/html") ?? false;
	return asksForPage ? redirect(href("/bureau/mon-acces"), 303) : Response.json(answer, { headers: { "cache-control": "no-store" } });
}

/** The page that has the button keeps what was typed in it. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
	keepUnsent(
		() => serverAction(),
		(_why, text) => ({ ok: false, text }),
	);
