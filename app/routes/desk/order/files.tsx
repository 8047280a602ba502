import { answerActForm } from "../../../desk/acts/answer-act-form.server.ts";
import { FilesPage } from "../../../desk/order/files-page.tsx";
import { listDroppedFiles } from "../../../desk/order/list-dropped-files.server.ts";
import { receiveFiles } from "../../../desk/order/receive-file.server.ts";
import { getActor, requireOperator } from "../../../desk/shell/signed-in.server.ts";
import { shopContext } from "../../../shop.ts";
import type { Route } from "./+types/files";

export { keepPageOffline as shouldRevalidate } from "../../../desk/shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Fichiers – bureau" }];

export async function loader({ context }: Route.LoaderArgs) {
	requireOperator(context, "serve");
	return { files: await listDroppedFiles(context.get(shopContext), getActor(context)) };
}

/** Files to sort, or the form of an act on one of them. */
export async function action(args: Route.ActionArgs) {
	const { request, context } = args;
	requireOperator(context, "serve");
	const isUpload = request.headers.get("content-type")?.startsWith("multipart/form-data");
	return isUpload ? receiveFiles(context.get(shopContext), getActor(context), request) : answerActForm(args);
}

export default function FilesRoute({ loaderData, actionData }: Route.ComponentProps) {
	return <FilesPage {...loaderData} answer={actionData && "lines" in actionData ? actionData : undefined} />;
}
