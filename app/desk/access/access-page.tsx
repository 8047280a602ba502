import { data, Form, href, redirect } from "react-router";
import { shopContext } from "../../shop.ts";
import { button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { AlertsPanel } from "../alerts/alerts-panel.tsx";
import { readAlerts } from "../alerts/change-alerts.server.ts";
import { isFresh } from "../operators/change-sign-in.server.ts";
import { maxPasswordLength, minPasswordLength } from "../operators/password.ts";
import { roleLabels } from "../operators/roles.ts";
import { keepUnsent } from "../shell/keep-page.ts";
import { readDeskForm } from "../shell/read-desk-form.server.ts";
import { getActor, getSignedIn } from "../shell/signed-in.server.ts";
import { useLastAnswer } from "../shell/use-last-answer.ts";
import { signInSentences } from "../sign-in/sign-in-sentences.ts";
import type { Route } from "./+types/access-page";
import { changeAccess, listOwnPasskeys, listOwnSessions } from "./change-access.server.ts";
import { Passkeys } from "./passkeys.tsx";

export { keepPage as shouldRevalidate } from "../shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Mon accès – bureau" }];

export async function loader({ context }: Route.LoaderArgs) {
	const signedIn = getSignedIn(context);
	const shop = context.get(shopContext);
	const { name, email, roles } = signedIn.operator;
	return {
		name,
		email,
		roles: roles.map((role) => roleLabels[role]),
		sessions: await listOwnSessions(shop, signedIn),
		alerts: await readAlerts(shop, signedIn.operator),
		passkeys: await listOwnPasskeys(shop, signedIn),
		isFresh: isFresh(shop, signedIn),
	};
}

export async function action({ request, context }: Route.ActionArgs) {
	const form = await readDeskForm(request);
	const change = await changeAccess(context.get(shopContext), getSignedIn(context), getActor(context), { form, request });
	if (change.signedOut) return redirect(change.signedOut === "all" ? `${href("/bureau/connexion")}?termine` : href("/bureau/connexion"));
	const { ok, text, recoveryCodes, cookies = [] } = change;
	return data({ ok, text, ...(recoveryCodes && { recoveryCodes }) }, { headers: cookies.map((cookie) => ["set-cookie", cookie]) });
}

/** A password is not kept to be sent later. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
	keepUnsent(
		() => serverAction(),
		(_why, text) => ({ ok: false, text }),
	);

export default function AccessRoute({ loaderData, actionData }: Route.ComponentProps) {
	return (
		<AccessPage {...loaderData} answer={useLastAnswer(actionData)}>
			<AlertsPanel {...loaderData.alerts} />
			<Passkeys passkeys={loaderData.passkeys} />
		</AccessPage>
	);
}

export interface ShownSession {
	id: string;
	since: string;
	until: string;
	origin: string;
	browser: string;
	isThis: boolean;
}

export interface AccessAnswer {
	ok: boolean;
	text: string;
	/** New recovery codes, shown once. */
	recoveryCodes?: string[];
}

interface AccessPageProps {
	name: string;
	email: string;
	roles: readonly string[];
	sessions: readonly ShownSession[];
	answer: AccessAnswer | undefined;
	/** Both factors were given lately: password and recovery codes can be changed. */
	isFresh: boolean;
	children?: React.ReactNode;
}

/** What an operator sees of their own access: sessions, password, recovery codes, passkeys. */
function AccessPage({ name, email, roles, sessions, answer, isFresh, children }: AccessPageProps) {
	return (
		<div className="mx-auto max-w-page">
			<div className="max-w-form">
				<h1 className="text-2xl">Mon accès</h1>
				<p className="mt-1 text-soft">
					{name}, {email}. {roles.join(", ")}.
				</p>
				{answer && (
					<Notice kind={answer.ok ? "done" : "failed"} live className="mt-5">
						<p>{answer.text}</p>
						{answer.recoveryCodes && (
							<ul className="figures mt-2 grid grid-cols-2 gap-x-6">
								{answer.recoveryCodes.map((code) => (
									<li key={code}>{code}</li>
								))}
							</ul>
						)}
					</Notice>
				)}
				<section aria-labelledby="sessions" className="mt-8">
					<h2 id="sessions" className="text-xl">
						Sessions ouvertes
					</h2>
					<p className="mt-1 text-sm text-soft">
						Un appareil perdu ou prêté&nbsp;? Terminez sa session, ou toutes&nbsp;: vos actions qui n’ont pas commencé sont alors annulées,
						et vos appareils n’affichent plus d’alertes.
					</p>
					<ul className="mt-3 divide-y divide-line border-y border-line">
						{sessions.map((session) => (
							<li key={session.id} className="flex flex-wrap items-center justify-between gap-x-6 py-2 text-sm">
								<span>
									{session.browser}
									{session.origin && `, ${session.origin}`}
									{session.isThis && " (cette session)"}
									<span className="block text-soft">
										depuis le {session.since}, jusqu’au {session.until} au plus tard
									</span>
								</span>
								<Form method="post">
									<input type="hidden" name="do" value="end-session" />
									<input type="hidden" name="session" value={session.id} />
									<button type="submit" className={button("quiet")}>
										Terminer
									</button>
								</Form>
							</li>
						))}
					</ul>
					<Form method="post" className="mt-3">
						<input type="hidden" name="do" value="end-all" />
						<button type="submit" className={button("secondary")}>
							Terminer toutes les sessions
						</button>
					</Form>
				</section>
				{children}
				<section aria-labelledby="mot-de-passe" className="mt-10">
					<h2 id="mot-de-passe" className="text-xl">
						Mot de passe
					</h2>
					<p className="mt-1 text-sm text-soft">Changer de mot de passe termine toutes vos autres sessions.</p>
					{isFresh ? (
						<Form method="post" className="mt-4 space-y-4">
							<input type="hidden" name="do" value="change-password" />
							<TextField name="current" type="password" label="Mot de passe actuel" autoComplete="current-password" required />
							<TextField
								name="next"
								type="password"
								label="Nouveau mot de passe"
								hint={`Au moins ${minPasswordLength} caractères.`}
								autoComplete="new-password"
								required
								minLength={minPasswordLength}
								maxLength={maxPasswordLength}
							/>
							<button type="submit" className={button("secondary")}>
								Changer le mot de passe
							</button>
						</Form>
					) : (
						<p className="mt-4 text-sm">{signInSentences.stale}</p>
					)}
				</section>
				<section aria-labelledby="secours" className="mt-10">
					<h2 id="secours" className="text-xl">
						Codes de secours
					</h2>
					<p className="mt-1 text-sm text-soft">De nouveaux codes remplacent les anciens.</p>
					{isFresh ? (
						<Form method="post" className="mt-4 space-y-4">
							<input type="hidden" name="do" value="new-codes" />
							<TextField id="codes-password" name="current" type="password" label="Mot de passe" autoComplete="current-password" required />
							<button type="submit" className={button("secondary")}>
								Créer de nouveaux codes
							</button>
						</Form>
					) : (
						<p className="mt-4 text-sm">{signInSentences.stale}</p>
					)}
				</section>
			</div>
		</div>
	);
}
