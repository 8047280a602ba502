import { data } from "react-router";
import { approve, undo } from "../../desk/acts/perform-act.server.ts";
import { getActor } from "../../desk/shell/signed-in.server.ts";
import { shopContext } from "../../shop.ts";
import { readForm } from "../../web/http.ts";
import type { Route } from "./+types/act";

/** « Annuler » and « Approuver »: acts on another act, named by its key. */
export async function action({ request, context }: Route.ActionArgs) {
	const form = await readForm(request);
	const key = String(form.get("key") ?? "").slice(0, 200);
	const act = form.get("do") === "approve" ? approve : undo;
	return data(await act(context.get(shopContext), getActor(context), key));
}

export function loader() {
	throw data(null, { status: 404 });
}
