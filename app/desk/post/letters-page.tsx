import { createContext, href, Link, redirect } from "react-router";
import { button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useLastAnswer } from "../shell/use-last-answer.ts";
import type { Route } from "./+types/letters-page";
import { type PrintRefusal, sendLetters } from "./send-letters.server.ts";
import { PrintForm } from "./to-print.tsx";

/** Never: a reading would lead to the list, and the reason why there is no PDF would be gone. */
export const shouldRevalidate = () => false;

export const meta: Route.MetaFunction = () => [{ title: "Courriers – bureau" }];

/** Set by the middleware, read by the action. */
const refusalContext = createContext<PrintRefusal | null>(null);

/** Sends the PDF in place of a page. */
export const middleware: Route.MiddlewareFunction[] = [
	async ({ request, context }, next) => {
		if (request.method !== "POST") return next();
		const sent = await sendLetters({ request, context });
		if (sent instanceof Response) return sent;
		context.set(refusalContext, sent);
		return next();
	},
];

/** Without a form there is nothing to say here. */
export function loader({ context }: Route.LoaderArgs) {
	if (context.get(refusalContext) === null) throw redirect(href("/bureau/courrier"));
	return null;
}

/** Runs only when there is no PDF. */
export const action = ({ context }: Route.ActionArgs) => context.get(refusalContext);

export default function LettersRoute({ actionData: answered }: Route.ComponentProps) {
	const actionData = useLastAnswer(answered);
	return (
		<div className="mx-auto max-w-page">
			<h1 className="text-2xl">Courriers</h1>
			<Notice kind="failed" live className="mt-4">
				<p>{actionData?.text}</p>
			</Notice>
			<div className="mt-6 flex flex-wrap gap-4">
				{actionData && actionData.others.length > 0 && <PrintForm orders={actionData.others} />}
				<Link to={href("/bureau/courrier")} className={button("secondary")}>
					Revenir au courrier
				</Link>
			</div>
		</div>
	);
}
