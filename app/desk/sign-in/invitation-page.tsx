import "../desk.css";
import { data, Form, href, redirect } from "react-router";
import { maskEmail } from "../../mail/email-address.ts";
import { clientContext, shopContext } from "../../shop.ts";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { setRetryAfter } from "../../web/http.ts";
import { endWork } from "../access/end-access.server.ts";
import { acceptInvitation, readInvitation } from "../operators/accept-invitation.server.ts";
import { maxPasswordLength, minPasswordLength } from "../operators/password.ts";
import { monthsSentence, roleLabels } from "../operators/roles.ts";
import { readDeskForm } from "../shell/read-desk-form.server.ts";
import { deskHeaders, requireDesk } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/invitation-page";
import { EnrolSecondFactor } from "./enrol-second-factor.tsx";
import { DoorButton, SignInFrame } from "./sign-in-frame.tsx";
import { signInSentences } from "./sign-in-sentences.ts";

export const handle = { desk: true };

// the address holds the link's secret
export const headers = () => ({ ...deskHeaders, "referrer-policy": "strict-origin" });

export const meta: Route.MetaFunction = () => [{ title: "Votre accès au bureau" }, { name: "robots", content: "noindex" }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	await requireDesk(shop, request);
	const invitation = await readInvitation(shop, params.token);
	if (invitation === null) return { invitation: null };
	const { name, email, roles } = invitation;
	return {
		invitation: { name, email: maskEmail(email), roles: roles.map((role) => roleLabels[role]), seesMonths: roles.includes("months") },
	};
}

/** The button of the page uses the link; opening it does not. */
export async function action({ request, params, context }: Route.ActionArgs) {
	const shop = context.get(shopContext);
	await requireDesk(shop, request);
	const form = await readDeskForm(request);
	const outcome = await acceptInvitation(
		shop,
		{ token: params.token, password: String(form.get("password") ?? "").slice(0, 1000) },
		{ headers: request.headers, client: context.get(clientContext).key },
		endWork,
	);
	if (!outcome.ok) {
		if (outcome.code === "closed") return redirect(href("/bureau/invitation/:token", params));
		setRetryAfter(context, outcome);
		return data({ sentence: signInSentences[outcome.code], factor: null }, { status: outcome.code === "busy" ? 429 : 400 });
	}
	const { cookies, uri, recoveryCodes, kept } = outcome;
	return data({ sentence: null, factor: { uri, recoveryCodes, kept } }, { headers: cookies.map((cookie) => ["set-cookie", cookie]) });
}

export default function InvitationRoute({ loaderData: { invitation }, actionData }: Route.ComponentProps) {
	if (actionData?.factor)
		return (
			<SignInFrame title="Un second facteur">
				<EnrolSecondFactor {...actionData.factor} />
			</SignInFrame>
		);
	if (invitation === null)
		return (
			<SignInFrame title="Lien expiré">
				<Notice kind="info">
					<p>{signInSentences.closed}</p>
				</Notice>
			</SignInFrame>
		);
	return (
		<SignInFrame title={`Bonjour ${invitation.name}`}>
			<p>
				Cet accès est pour {invitation.email}. Il permet&nbsp;: {invitation.roles.join(", ").toLowerCase()}.
			</p>
			{invitation.seesMonths && <p className="mt-3">{monthsSentence}</p>}
			<Form method="post" className="mt-6 space-y-5">
				<TextField
					name="password"
					type="password"
					label="Choisissez un mot de passe"
					hint={`Au moins ${minPasswordLength} caractères. Une phrase de quatre mots convient très bien.`}
					autoComplete="new-password"
					required
					minLength={minPasswordLength}
					maxLength={maxPasswordLength}
					error={actionData?.sentence ?? undefined}
				/>
				<DoorButton>Créer mon accès</DoorButton>
			</Form>
		</SignInFrame>
	);
}
