import type { ActOutcome } from "../../../desk/acts/act.ts";
import { keepUnsentAct } from "../../../desk/acts/act-form.tsx";
import { answerActForm } from "../../../desk/acts/answer-act-form.server.ts";
import { deliverAll } from "../../../desk/order/deliver-all.server.ts";
import { FilesPage } from "../../../desk/order/files-page.tsx";
import { listDroppedFiles } from "../../../desk/order/list-dropped-files.server.ts";
import { receiveFiles } from "../../../desk/order/receive-file.server.ts";
import { type FilesAnswer, notKept } from "../../../desk/order/upload-answer.ts";
import { keepUnsent, readUnsentForm } from "../../../desk/shell/keep-page.ts";
import { readDeskForm } from "../../../desk/shell/read-desk-form.server.ts";
import { getActor, requireOperator } from "../../../desk/shell/signed-in.server.ts";
import { useLastAnswer } from "../../../desk/shell/use-last-answer.ts";
import { shopContext } from "../../../shop.ts";
import type { Route } from "./+types/files";

export { keepPage as shouldRevalidate } from "../../../desk/shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Fichiers – bureau" }];

export async function loader({ context }: Route.LoaderArgs) {
	requireOperator(context, "serve");
	return { files: await listDroppedFiles(context.get(shopContext), getActor(context)) };
}

/** Files to sort, « Tout livrer », or the form of an act on one of them. */
export async function action(args: Route.ActionArgs): Promise<FilesAnswer | ActOutcome> {
	const { request, context } = args;
	requireOperator(context, "serve");
	const [shop, actor] = [context.get(shopContext), getActor(context)];
	if (isUpload(request)) return receiveFiles(shop, actor, request);
	const form = await readDeskForm(request.clone());
	return form.get("do") === "deliver-all" ? deliverAll(shop, actor, form) : answerActForm(args);
}

/** When nothing was read, the page and its chosen files stay. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs): Promise<FilesAnswer | ActOutcome> {
	const form = isUpload(request) ? null : await readUnsentForm(request);
	if (form?.has("act")) return keepUnsentAct(request, () => serverAction() as Promise<ActOutcome>);
	return keepUnsent(
		() => serverAction(),
		(why, sentence) => ({ lines: [], text: why === "failed" && form === null ? `${sentence} ${notKept}` : sentence }),
	);
}

const isUpload = ({ headers }: Request) => headers.get("content-type")?.startsWith("multipart/form-data") === true;

export default function FilesRoute({ loaderData, actionData }: Route.ComponentProps) {
	return <FilesPage {...loaderData} answer={useLastAnswer(actionData && "lines" in actionData ? actionData : undefined)} />;
}
