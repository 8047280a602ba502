import "../desk.css";
import { data, Form, href, redirect, redirectDocument } from "react-router";
import { clientContext, type Shop, shopContext } from "../../shop.ts";
import { TextField } from "../../ui/field.tsx";
import { setRetryAfter } from "../../web/http.ts";
import { findSignedIn, prepareWithPassword, readKeptFactor, type SignedIn } from "../operators/sign-in.server.ts";
import { confirmSecondFactor } from "../operators/sign-in-with-code.server.ts";
import { readDeskForm } from "../shell/read-desk-form.server.ts";
import { deskHeaders, requireDesk } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/second-factor-page";
import { EnrolSecondFactor } from "./enrol-second-factor.tsx";
import { DoorButton, SignInFrame } from "./sign-in-frame.tsx";
import { signInSentences } from "./sign-in-sentences.ts";

export const handle = { desk: true };

export const headers = () => deskHeaders;

export const meta: Route.MetaFunction = () => [{ title: "Second facteur" }, { name: "robots", content: "noindex" }];

export async function loader({ request, context }: Route.LoaderArgs) {
	await requireUnfinished(context.get(shopContext), request);
	return null;
}

export async function action({ request, context }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	const signedIn = await requireUnfinished(shop, request);
	const form = await readDeskForm(request);
	const sender = { headers: request.headers, client: context.get(clientContext).key };
	if (form.get("step") !== "confirm") {
		const prepared = await prepareWithPassword(shop, signedIn, String(form.get("password") ?? "").slice(0, 1000), sender);
		if (prepared.ok) return data({ sentence: null, factor: prepared.factor });
		const limited = prepared.code === "limited";
		setRetryAfter(context, prepared);
		return data({ sentence: signInSentences[limited ? "limited" : "wrongPassword"], factor: null }, { status: limited ? 429 : 401 });
	}
	const outcome = await confirmSecondFactor(shop, String(form.get("code") ?? "").slice(0, 40), sender);
	if (!outcome.ok) {
		const limited = outcome.code === "limited";
		const factor = readKeptFactor(shop, String(form.get("kept") ?? "").slice(0, 4000));
		setRetryAfter(context, outcome);
		return data({ sentence: signInSentences[limited ? "limited" : "wrongCode"], factor }, { status: limited ? 429 : 401 });
	}
	// a script would ask for /bureau.data, where the cookie of /bureau does not go
	return redirectDocument(href("/bureau"), { headers: outcome.cookies.map((cookie) => ["set-cookie", cookie]) });
}

/** @returns who is signed in by password alone. @throws a redirect for all others. */
async function requireUnfinished(shop: Shop, request: Request): Promise<SignedIn> {
	await requireDesk(shop, request);
	const signedIn = await findSignedIn(shop, request.headers);
	if (signedIn === null) throw redirect(href("/bureau/connexion"));
	if (signedIn.provedAt !== null) throw redirectDocument(href("/bureau"));
	return signedIn;
}

export default function SecondFactorRoute({ actionData }: Route.ComponentProps) {
	return (
		<SignInFrame title="Un second facteur">
			{actionData?.factor ? (
				<EnrolSecondFactor {...actionData.factor} error={actionData.sentence ?? undefined} />
			) : (
				<>
					<p>Le bureau ne s’ouvre qu’avec un code de votre téléphone. Pour le préparer, confirmez votre mot de passe.</p>
					<Form method="post" className="mt-6 space-y-5">
						<TextField
							name="password"
							type="password"
							label="Mot de passe"
							autoComplete="current-password"
							required
							error={actionData?.sentence ?? undefined}
						/>
						<DoorButton>Préparer mon code</DoorButton>
					</Form>
				</>
			)}
		</SignInFrame>
	);
}
