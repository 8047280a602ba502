import { createContext, Form, href, Link, redirect } from "react-router";
import { shopContext } from "../../shop.ts";
import { button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { getActor } from "../shell/signed-in.server.ts";
import { useLastAnswer } from "../shell/use-last-answer.ts";
import type { Route } from "./+types/extract-page";
import { findOrderOfPage } from "./find-order.server.ts";
import { receiveFile } from "./receive-file.server.ts";
import { keepUnsentFile } from "./upload-answer.ts";

export const meta: Route.MetaFunction = ({ params }) => [{ title: `Extrait de ${params.number} – bureau` }];

/** Whether the page shows what became of a file: the loader runs after the action too. */
const answeredContext = createContext(false);

/** Files are sent here; the page of the order shows them. */
export async function loader({ context, params }: Route.LoaderArgs) {
	const { order_number: number } = await findOrderOfPage(context.get(shopContext), params.number);
	return context.get(answeredContext) ? null : redirect(href("/bureau/commandes/:number", { number }));
}

export async function action({ request, context, params }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	const order = await findOrderOfPage(shop, params.number);
	const answer = await receiveFile(shop, getActor(context), order, request);
	context.set(answeredContext, true);
	// without JavaScript, the browser shows the answer; a script reads it
	const isDocument = request.headers.get("sec-fetch-dest") === "document";
	return isDocument && answer.state === "kept" ? redirect(href("/bureau/commandes/:number", { number: order.order_number })) : answer;
}

export const clientAction = ({ serverAction }: Route.ClientActionArgs) => keepUnsentFile(serverAction);

/** Without JavaScript: the answer to a file. */
export default function ExtractRoute({ actionData: answered, params }: Route.ComponentProps) {
	const actionData = useLastAnswer(answered);
	const orderPage = href("/bureau/commandes/:number", { number: params.number });
	return (
		<div className="max-w-form">
			<h1 className="text-2xl">Extrait de la commande {params.number}</h1>
			{actionData && (
				<Notice kind={actionData.state === "kept" ? "done" : "failed"} className="mt-4">
					<p>{actionData.text}</p>
				</Notice>
			)}
			{actionData?.state === "refused" && (
				<Form method="post" encType="multipart/form-data" className="mt-6 space-y-4" reloadDocument>
					<label className="block font-semibold">
						Un autre fichier PDF, ou une photo
						<input type="file" name="file" accept=".pdf,application/pdf,image/jpeg,image/png" required className="mt-1 block font-normal" />
					</label>
					<button type="submit" className={button()}>
						Déposer
					</button>
				</Form>
			)}
			<p className="mt-6">
				<Link to={orderPage} className={button("secondary")}>
					Revenir à la commande
				</Link>
			</p>
		</div>
	);
}
