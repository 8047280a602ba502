import type { RouterContextProvider } from "react-router";
import { shopContext } from "../../shop.ts";
import type { ActOutcome } from "../acts/act.ts";
import { answerActForm } from "../acts/answer-act-form.server.ts";
import { approve, undo } from "../acts/perform-act.server.ts";
import { setPosted } from "../acts/posted-answer.server.ts";
import { readDeskForm } from "../shell/read-desk-form.server.ts";
import { getActor } from "../shell/signed-in.server.ts";

interface RouteArgs {
	request: Request;
	context: Readonly<RouterContextProvider>;
}

/** The action of the pages about money: an act, or the decision of a second person about one. */
export async function answerMoneyForm(args: RouteArgs): Promise<ActOutcome> {
	const form = await readDeskForm(args.request.clone());
	const what = form.get("do");
	if (what !== "approve" && what !== "undo") return answerActForm(args);
	const key = String(form.get("key") ?? "");
	const decide = what === "approve" ? approve : undo;
	const { ok, text } = await decide(args.context.get(shopContext), getActor(args.context), key);
	return setPosted(args.context, { act: what, orderId: null, key, text, state: ok ? "done" : "refused" });
}
