import { randomUUID } from "node:crypto";
import { data, type RouterContextProvider } from "react-router";
import { isUuid } from "../../../server/uuid.ts";
import { servingRefusals } from "../../fulfilment/refusals.ts";
import { readLetterNumber } from "../../orders/letter-number.server.ts";
import { parseOrderNumber } from "../../orders/order-number.server.ts";
import { findOrder, findOrderByReference } from "../../orders/orders.store.server.ts";
import { type Shop, shopContext } from "../../shop.ts";
import { performAct } from "../acts/perform-act.server.ts";
import { readDeskForm } from "../shell/read-desk-form.server.ts";
import { getActor } from "../shell/signed-in.server.ts";
import { askedField, maxTypedLength, type PostAnswer, type PostedNumber, parsePasted } from "./typed-numbers.ts";

/** Numbers of one form at most. */
const maxNumbers = 400;

/**
 * Answers the form of tracking numbers: each typed or pasted one is an act of its order, with its own line in the trail. A refused one
 * keeps its place with its sentence, whatever becomes of the others. @throws 400 when the body is not a form of the page.
 */
export async function answerPostForm({
	request,
	context,
}: {
	request: Request;
	context: Readonly<RouterContextProvider>;
}): Promise<PostAnswer> {
	const shop = context.get(shopContext);
	const actor = getActor(context);
	const form = await readDeskForm(request);
	const formKey = String(form.get("key") ?? "");
	// every form of the page has one
	if (!isUuid(formKey)) throw data("Ce formulaire n’est pas lisible. Rechargez la page, puis envoyez-le de nouveau.", { status: 400 });
	const answer: PostAnswer = { key: randomUUID(), numbers: [], lines: [], asked: [] };
	const confirmed = new Set(form.getAll(askedField).map(String));
	const post = async (orderId: string, number: string, typed: string): Promise<PostedNumber> => {
		const isConfirmed = confirmed.has(typed);
		// the same number in the same form is one act; a corrected or confirmed one is another
		const key = `post-letter ${formKey} ${orderId} ${isConfirmed ? "confirmed " : ""}${typed}`;
		const fields = { tracking: typed, ...(isConfirmed && { confirmed: "on" }) };
		const outcome = await performAct(shop, actor, { act: "post-letter", key, orderId, fields });
		const isAsked = outcome.text === servingRefusals["unknown-tracking-number"];
		if (isAsked && !answer.asked.includes(typed)) answer.asked.push(typed);
		const text = outcome.text + (isAsked ? " S’il est juste, envoyez-le de nouveau." : "");
		return { orderId, number, typed, ok: outcome.state === "done", text };
	};
	for (const { orderId, typed } of listTyped(form)) {
		const order = await findOrder(shop.db, orderId);
		if (order) answer.numbers.push(await post(orderId, order.order_number, typed));
	}
	for (const parsed of parsePasted(String(form.get("liste") ?? "").slice(0, 20_000)).slice(0, maxNumbers)) {
		const order = parsed.ok ? await findByNumber(shop, parsed.number) : null;
		if (!parsed.ok) answer.lines.push({ line: parsed.line, text: "Cette ligne n’a ni numéro de commande ni numéro de courrier." });
		else if (order === null)
			answer.lines.push({ line: parsed.line, text: `Le numéro ${parsed.number} n’est celui d’aucune commande ni d’aucun courrier.` });
		else {
			const posted = await post(order.id, order.order_number, parsed.tracking);
			if (posted.ok) answer.numbers.push(posted);
			else answer.lines.push({ line: parsed.line, text: posted.text });
		}
	}
	return answer;
}

/** The filled fields of the form. */
function listTyped(form: FormData) {
	return [...form]
		.map(([name, value]) => ({
			orderId: name.replace(/^suivi-/, ""),
			typed: String(value).trim().slice(0, maxTypedLength),
			isNumber: name.startsWith("suivi-"),
		}))
		.filter(({ orderId, typed, isNumber }) => isNumber && typed !== "" && isUuid(orderId))
		.slice(0, maxNumbers);
}

async function findByNumber({ db, signer }: Pick<Shop, "db" | "signer">, typed: string) {
	const number = parseOrderNumber(typed) ?? readLetterNumber(signer, typed);
	return number === null ? null : findOrderByReference(db, { number });
}
