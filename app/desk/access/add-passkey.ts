import { data } from "react-router";
import { shopContext } from "../../shop.ts";
import { readJson } from "../../web/http.ts";
import { runRecorded } from "../log/run-recorded.server.ts";
import { isFresh } from "../operators/change-sign-in.server.ts";
import { sentRegistration } from "../operators/passkey-answers.ts";
import { addPasskey, startPasskey } from "../operators/passkeys.server.ts";
import { getActor, getSignedIn } from "../shell/signed-in.server.ts";
import { signInSentences } from "../sign-in/sign-in-sentences.ts";
import type { Route } from "./+types/add-passkey";
import { nameBrowser } from "./change-access.server.ts";

export function loader() {
	throw data(null, { status: 404 });
}

/** For the script of « Mon accès »: `{}` gives a challenge, its answer adds this device. */
export async function action({ request, context }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	const signedIn = getSignedIn(context);
	const { operator } = signedIn;
	const { ticket, response } = sentRegistration.parse(await readJson(request));
	const headers = { "cache-control": "no-store" };
	// a passkey outlives the session
	if (!isFresh(shop, signedIn)) return Response.json({ ok: false, text: signInSentences.stale }, { headers });
	if (ticket === null) return Response.json(await startPasskey(shop, operator), { headers });
	const actor = getActor(context);
	const answer = await runRecorded(shop, { verb: "add-passkey", actor }, async () => {
		const name = nameBrowser(request.headers.get("user-agent") ?? "");
		const added = response !== null && (await addPasskey(shop, operator, { ticket, response, name, client: actor.origin }));
		return added
			? { ok: true, text: "Cet appareil ouvre maintenant le bureau." }
			: { ok: false, text: "Cette clé d’accès n’a pas pu être vérifiée. Recommencez." };
	});
	return Response.json({ ok: answer.ok, text: answer.text }, { headers });
}
