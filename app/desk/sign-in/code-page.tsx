import "../desk.css";
import { data, Form, href, redirect, redirectDocument } from "react-router";
import { clientContext, shopContext } from "../../shop.ts";
import { TextField } from "../../ui/field.tsx";
import { setRetryAfter } from "../../web/http.ts";
import { signInWithCode } from "../operators/sign-in-with-code.server.ts";
import { readDeskForm } from "../shell/read-desk-form.server.ts";
import { deskHeaders, requireDesk } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/code-page";
import { readReturnPath } from "./return-path.ts";
import { DoorButton, SignInFrame } from "./sign-in-frame.tsx";
import { signInSentences } from "./sign-in-sentences.ts";

export const handle = { desk: true };

export const headers = () => deskHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Code de connexion" }, { name: "robots", content: "noindex" }];

export async function loader({ request, context }: Route.LoaderArgs) {
	await requireDesk(context.get(shopContext), request);
	return { returnPath: readReturnPath(new URL(request.url).searchParams.get("vers")) };
}

export async function action({ request, context }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	await requireDesk(shop, request);
	const form = await readDeskForm(request);
	const outcome = await signInWithCode(shop, String(form.get("code") ?? "").slice(0, 40), {
		headers: request.headers,
		client: context.get(clientContext).key,
	});
	if (outcome.ok) {
		const headers = new Headers(outcome.cookies.map((cookie) => ["set-cookie", cookie]));
		// a script would ask for /bureau.data, where the cookie of /bureau does not go
		return redirectDocument(readReturnPath(String(form.get("vers") ?? "")), { headers });
	}
	if (outcome.code === "expired") return redirect(`${href("/bureau/connexion")}?expire`);
	const limited = outcome.code === "limited";
	setRetryAfter(context, outcome);
	return data({ sentence: signInSentences[limited ? "limited" : "wrongCode"] }, { status: limited ? 429 : 401 });
}

export default function SignInCodeRoute({ loaderData, actionData }: Route.ComponentProps) {
	return (
		<SignInFrame title="Votre code">
			<Form method="post" className="space-y-5">
				<input type="hidden" name="vers" value={loaderData.returnPath} />
				<TextField
					name="code"
					label="Code à six chiffres de votre application"
					hint="Sans votre téléphone, saisissez un code de secours."
					inputMode="text"
					autoComplete="one-time-code"
					required
					autoFocus
					maxLength={40}
					error={actionData?.sentence}
				/>
				<DoorButton>Ouvrir le bureau</DoorButton>
			</Form>
		</SignInFrame>
	);
}
