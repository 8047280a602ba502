import type { RouterContextProvider } from "react-router";
import { isUuid } from "../../../server/uuid.ts";
import { shopContext } from "../../shop.ts";
import { readDeskForm } from "../shell/read-desk-form.server.ts";
import { getActor } from "../shell/signed-in.server.ts";
import type { ActOutcome } from "./act.ts";
import { performAct } from "./perform-act.server.ts";
import { setPosted } from "./posted-answer.server.ts";

/** The action of a page with forms of acts: does what the form asks for. */
export async function answerActForm({
	request,
	context,
}: {
	request: Request;
	context: Readonly<RouterContextProvider>;
}): Promise<ActOutcome> {
	const form = await readDeskForm(request);
	const fields = Object.fromEntries(
		[...form].flatMap(([name, value]) => (typeof value === "string" ? [[name, value.toWellFormed()]] : [])),
	);
	const { act = "", key = "", order = "", ...rest } = fields;
	const orderId = isUuid(order) ? order : null;
	if (!isUuid(key))
		return setPosted(context, { act, key, orderId, text: "Ce formulaire n’est plus valable\u00a0: rechargez la page.", state: "refused" });
	const sent = { act, key: `${act} ${key}`, orderId, fields: rest };
	return setPosted(context, await performAct(context.get(shopContext), getActor(context), sent));
}
