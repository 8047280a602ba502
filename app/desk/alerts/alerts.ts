import { href, redirect } from "react-router";
import { shopContext } from "../../shop.ts";
import { keepUnsent } from "../shell/keep-page.ts";
import { readDeskForm } from "../shell/read-desk-form.server.ts";
import { getActor } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/alerts";
import { changeAlerts } from "./change-alerts.server.ts";

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
