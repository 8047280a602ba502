import { data, redirect } from "react-router";
import { shopContext } from "../../shop.ts";
import { keepUnsent } from "../shell/keep-page.ts";
import { readDeskForm } from "../shell/read-desk-form.server.ts";
import { getActor } from "../shell/signed-in.server.ts";
import { readReturnPath } from "../sign-in/return-path.ts";
import type { Route } from "./+types/act-route";
import { approve, dismiss, undo } from "./perform-act.server.ts";

/** « Annuler », « Approuver » and « J’ai vu »: acts on another act, named by its key. */
export async function action({ request, context }: Route.ActionArgs) {
	const form = await readDeskForm(request);
	const key = String(form.get("key") ?? "");
	const what = form.get("do");
	const act = what === "approve" ? approve : what === "dismiss" ? dismiss : undo;
	const outcome = await act(context.get(shopContext), getActor(context), key);
	// without JavaScript, the page that has the button shows what became of it
	if (request.headers.get("sec-fetch-dest") === "document") return redirect(readReturnPath(readPath(request.headers.get("referer"))));
	return data(outcome);
}

/** The page that has the button keeps what was typed in it. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
	keepUnsent(
		() => serverAction(),
		(_why, text) => ({ ok: false, text }),
	);

const readPath = (referer: string | null) => (referer !== null && URL.canParse(referer) ? new URL(referer).pathname : null);

export function loader() {
	throw data(null, { status: 404 });
}
