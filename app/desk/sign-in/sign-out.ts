import { href, redirect } from "react-router";
import { clientContext, shopContext } from "../../shop.ts";
import { signOut } from "../operators/sign-in.server.ts";
import { requireDesk } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/sign-out";

export async function loader({ request, context }: Route.LoaderArgs) {
	await requireDesk(context.get(shopContext), request);
	return redirect(href("/bureau/connexion"));
}

export async function action({ request, context }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	await requireDesk(shop, request);
	const cookies = await signOut(shop, { headers: request.headers, client: context.get(clientContext).key });
	return redirect(href("/bureau/connexion"), { headers: cookies.map((cookie) => ["set-cookie", cookie]) });
}
