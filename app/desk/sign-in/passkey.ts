import { data } from "react-router";
import { clientContext, shopContext } from "../../shop.ts";
import { readJson } from "../../web/http.ts";
import { sentAuthentication } from "../operators/passkey-answers.ts";
import { signInWithPasskey, startPasskeySignIn } from "../operators/passkeys.server.ts";
import { deskHeaders, requireDesk } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/passkey";
import { readReturnPath } from "./return-path.ts";
import { signInSentences } from "./sign-in-sentences.ts";

export function loader() {
	throw data(null, { status: 404 });
}

/** For the script of the sign-in page: `{}` gives a challenge, its answer opens the desk. */
export async function action({ request, context }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	await requireDesk(shop, request);
	const client = context.get(clientContext).key;
	const taken = await shop.limits("desk-passkey", 60, 900).take(client);
	if (!taken.ok) return Response.json({ error: signInSentences.limited }, { status: 429, headers: deskHeaders });
	const { ticket, response, vers } = sentAuthentication.parse(await readJson(request));
	if (ticket === null) return Response.json(await startPasskeySignIn(shop), { headers: deskHeaders });
	const cookies = response && (await signInWithPasskey(shop, { ticket, response }, { headers: request.headers, client }));
	if (cookies === null) return Response.json({ error: signInSentences.passkey }, { status: 401, headers: deskHeaders });
	const headers = new Headers(deskHeaders);
	for (const cookie of cookies) headers.append("set-cookie", cookie);
	return Response.json({ location: readReturnPath(vers) }, { headers });
}
