import type { ActOutcome } from "../../desk/acts/act.ts";
import { keepUnsentAct } from "../../desk/acts/act-form.tsx";
import { answerActForm } from "../../desk/acts/answer-act-form.server.ts";
import { recordLook } from "../../desk/order/record-look.server.ts";
import { answerPostForm } from "../../desk/post/answer-post.server.ts";
import { PostPage } from "../../desk/post/post-page.tsx";
import { readPost } from "../../desk/post/read-post.server.ts";
import type { PostAnswer } from "../../desk/post/typed-numbers.ts";
import { keepUnsent, readUnsentForm } from "../../desk/shell/keep-page.ts";
import { readDeskForm } from "../../desk/shell/read-desk-form.server.ts";
import { deskHeaders, getActor, requireOperator } from "../../desk/shell/signed-in.server.ts";
import { shopContext } from "../../shop.ts";
import type { Route } from "./+types/post";

export { keepPage as shouldRevalidate } from "../../desk/shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Courrier – bureau" }];

/** The camera reads tracking numbers, on this page only. */
export const headers = () => ({
	...deskHeaders,
	"permissions-policy": "camera=(self), geolocation=(), microphone=(), payment=(), usb=()",
});

export async function loader({ context }: Route.LoaderArgs) {
	const { operator } = requireOperator(context, "serve");
	const shop = context.get(shopContext);
	await recordLook(shop, getActor(context), "look-at-letters", null);
	return readPost(shop, operator.id);
}

export async function action(args: Route.ActionArgs) {
	const form = await readDeskForm(args.request.clone());
	return form.has("act") ? answerActForm(args) : answerPostForm(args);
}

/** Numbers that were not read stay in their fields. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
	const form = await readUnsentForm(request);
	if (form.has("act")) return keepUnsentAct(request, () => serverAction() as Promise<ActOutcome>);
	return keepUnsent(
		() => serverAction(),
		(_why, sentence) => ({ key: "unsent", numbers: [], lines: [], sentence }) satisfies PostAnswer,
	);
}

export default function PostRoute({ loaderData }: Route.ComponentProps) {
	return <PostPage {...loaderData} />;
}
