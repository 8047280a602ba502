import "../desk.css";
import { browserSupportsWebAuthn, type PublicKeyCredentialRequestOptionsJSON, startAuthentication } from "@simplewebauthn/browser";
import { useState } from "react";
import { data, Form, href, redirect } from "react-router";
import { clientContext, shopContext } from "../../shop.ts";
import { button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { setRetryAfter } from "../../web/http.ts";
import { signInWithPassword } from "../operators/sign-in.server.ts";
import { readDeskForm } from "../shell/read-desk-form.server.ts";
import { deskHeaders, requireDesk } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/sign-in-page";
import { readReturnPath } from "./return-path.ts";
import { DoorButton, SignInFrame } from "./sign-in-frame.tsx";
import { signInSentences } from "./sign-in-sentences.ts";

export const handle = { desk: true };

export const headers = () => deskHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Se connecter au bureau" }, { name: "robots", content: "noindex" }];

export async function loader({ request, context }: Route.LoaderArgs) {
	await requireDesk(context.get(shopContext), request);
	const query = new URL(request.url).searchParams;
	return { returnPath: readReturnPath(query.get("vers")), expired: query.has("expire"), ended: query.has("termine") };
}

export async function action({ request, context }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	await requireDesk(shop, request);
	const form = await readDeskForm(request);
	const [email, password] = [String(form.get("email") ?? "").slice(0, 320), String(form.get("password") ?? "").slice(0, 1000)];
	const returnPath = readReturnPath(String(form.get("vers") ?? ""));
	if (email.trim() === "" || password === "") return data({ email, sentence: signInSentences.incomplete }, { status: 400 });
	const outcome = await signInWithPassword(shop, { email, password }, { headers: request.headers, client: context.get(clientContext).key });
	if (!outcome.ok) {
		setRetryAfter(context, outcome);
		const code = outcome.code === "expired" ? "wrong" : outcome.code;
		return data({ email, sentence: signInSentences[code] }, { status: code === "wrong" ? 401 : 429 });
	}
	const headers = new Headers(outcome.cookies.map((cookie) => ["set-cookie", cookie]));
	if (outcome.next === "enrol") return redirect(href("/bureau/second-facteur"), { headers });
	return redirect(`${href("/bureau/connexion/code")}?vers=${encodeURIComponent(returnPath)}`, { headers });
}

export default function SignInRoute({ loaderData, actionData }: Route.ComponentProps) {
	return (
		<SignInFrame title="Se connecter">
			{actionData ? (
				<Notice kind="failed" live className="mb-6">
					<p>{actionData.sentence}</p>
				</Notice>
			) : (
				(loaderData.expired || loaderData.ended) && (
					<Notice kind="info" className="mb-6">
						<p>{loaderData.ended ? signInSentences.allEnded : signInSentences.expired}</p>
					</Notice>
				)
			)}
			<Form method="post" className="space-y-5">
				<input type="hidden" name="vers" value={loaderData.returnPath} />
				<TextField name="email" type="email" label="E-mail" autoComplete="username" required defaultValue={actionData?.email} />
				<TextField name="password" type="password" label="Mot de passe" autoComplete="current-password" required />
				<DoorButton>Continuer</DoorButton>
			</Form>
			<PasskeyButton returnPath={loaderData.returnPath} />
		</SignInFrame>
	);
}

/** Signs in with a passkey: the browser asks for the finger, the face or the device's code. Needs JavaScript. */
function PasskeyButton({ returnPath }: { returnPath: string }) {
	const [error, setError] = useState<string | null>(null);
	const hydrated = useHydrated();
	if (!hydrated || !browserSupportsWebAuthn()) return null;
	const signIn = async () => {
		setError(null);
		try {
			const challenge = await ask<{ ticket: string; options: PublicKeyCredentialRequestOptionsJSON }>({});
			const response = await startAuthentication({ optionsJSON: challenge.options });
			const { location, error: refusal } = await ask<{ location?: string; error?: string }>({
				ticket: challenge.ticket,
				response,
				vers: returnPath,
			});
			if (location) window.location.assign(location);
			else setError(refusal ?? signInSentences.passkey);
		} catch {
			setError(signInSentences.passkey); // the person cancelled, or there is no network
		}
	};
	return (
		<div className="mt-6 border-t border-line pt-6">
			<button type="button" className={button("secondary", "w-full")} onClick={signIn}>
				Utiliser une clé d’accès
			</button>
			{error && (
				<Notice kind="failed" live className="mt-4">
					<p>{error}</p>
				</Notice>
			)}
		</div>
	);
}

async function ask<Answer>(body: object): Promise<Answer> {
	const answer = await fetch(href("/bureau/connexion/cle"), {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify(body),
	});
	return answer.json();
}
