import { href, type RouterContextProvider, redirect } from "react-router";
import { shopContext } from "../../shop.ts";
import { privateHeaders } from "../../web/http.ts";
import { findSignedInCustomer, type SignedInCustomer } from "../sign-in/sessions.server.ts";

/**
 * The session of a page behind the link of a mailbox.
 * @throws a redirect to the form for a browser without an open session.
 */
export async function requireCustomer(context: Readonly<RouterContextProvider>, request: Request): Promise<SignedInCustomer> {
	const customer = await findSignedInCustomer(context.get(shopContext), request.headers);
	if (customer === null) throw redirect(href("/mes-commandes"), { status: 303, headers: privateHeaders });
	return customer;
}
