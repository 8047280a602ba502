import { Form, href } from "react-router";
import { shopContext } from "../../shop.ts";
import { button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { ActForm, findFieldError, keepUnsentAct } from "../acts/act-form.tsx";
import { answerActForm } from "../acts/answer-act-form.server.ts";
import { keepUnsent, readUnsentForm } from "../shell/keep-page.ts";
import { readDeskForm } from "../shell/read-desk-form.server.ts";
import { getActor } from "../shell/signed-in.server.ts";
import { useLastAnswer } from "../shell/use-last-answer.ts";
import type { Route } from "./+types/privacy-page";
import { describePerson, type PersonView, readAddress, readPerson } from "./describe-person.server.ts";

export { keepPage as shouldRevalidate } from "../shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Données personnelles – bureau" }];

export const loader = () => null;

/** The search is a form that is sent, because an address must not be in a URL. */
export async function action(args: Route.ActionArgs) {
	const { request, context } = args;
	const form = await readDeskForm(request.clone());
	if (form.get("do") !== "find") return answerActForm(args);
	const email = readAddress(form.get("email"));
	if (email === null)
		return { typed: { email: String(form.get("email") ?? "").slice(0, 300), error: "Cette adresse e-mail n’est pas valable." } };
	const data = await readPerson(context.get(shopContext), getActor(context), email, "find-person");
	return { person: describePerson(data) };
}

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
	const form = await readUnsentForm(request);
	if (form.get("do") !== "find") return keepUnsentAct({ request, serverAction });
	const email = String(form.get("email") ?? "");
	return keepUnsent(
		() => serverAction(),
		(_why, error) => ({ typed: { email, error } }),
	);
}

export default function PrivacyRoute({ actionData: answered }: Route.ComponentProps) {
	const actionData = useLastAnswer(answered);
	const person = actionData && "person" in actionData ? (actionData.person ?? null) : null;
	const typed = actionData && "typed" in actionData ? (actionData.typed ?? null) : null;
	return <PrivacyPage person={person} typed={typed} />;
}

interface PrivacyPageProps {
	/** Null before a search. */
	person: PersonView | null;
	/** What was typed, and what is wrong with it. */
	typed: { email: string; error: string } | null;
}

/** The data of one person: what is stored, to take away or to erase. The address is never in the URL. */
function PrivacyPage({ person, typed }: PrivacyPageProps) {
	return (
		<div className="mx-auto max-w-page *:max-w-form">
			<h1 className="text-2xl">Données personnelles</h1>
			<p className="mt-1 text-sm text-soft">
				Une personne peut demander ses données ou leur effacement (RGPD, articles 15 et 17). Assurez-vous que c’est bien elle qui écrit, et
				répondez dans le mois. Chaque recherche est notée au journal.
			</p>
			<Form method="post" className="mt-5 flex flex-wrap items-end gap-3">
				<input type="hidden" name="do" value="find" />
				<TextField
					name="email"
					type="email"
					label="Son adresse e-mail"
					defaultValue={typed?.email ?? person?.email}
					autoComplete="off"
					required
					className="min-w-0 flex-1"
					error={typed?.error}
				/>
				<button type="submit" className={button("secondary")}>
					Rechercher
				</button>
			</Form>
			{person && <Person key={person.email} person={person} />}
		</div>
	);
}

function Person({ person: { email, stored, orders } }: { person: PersonView }) {
	if (stored.length === 0)
		return (
			<Notice kind="info" live className="mt-8">
				<p>
					Rien n’est conservé sous <span className="break-all">{email}</span>.
				</p>
			</Notice>
		);
	return (
		<>
			<section aria-labelledby="conserve" className="mt-8">
				<h2 id="conserve" className="text-xl">
					Ce qui est conservé
				</h2>
				<dl className="mt-3 divide-y divide-line border-y border-line">
					{stored.map(({ label, count, after }) => (
						<div key={label} className="py-2.5">
							<dt className="font-semibold">
								{label}&nbsp;: <span className="figures">{count}</span>
							</dt>
							<dd className="text-sm text-soft">À l’effacement&nbsp;: {after}.</dd>
						</div>
					))}
				</dl>
				{orders.length > 0 && (
					<ul className="mt-3 text-sm">
						{orders.map(({ number, company }) => (
							<li key={number}>
								<span className="figures">{number}</span>, {company}
							</li>
						))}
					</ul>
				)}
			</section>
			<section aria-labelledby="export" className="mt-8">
				<h2 id="export" className="text-xl">
					1. Remettre ses données
				</h2>
				<p className="mt-1 text-sm text-soft">Un fichier JSON. Remettez-le à la personne, puis supprimez-le de cet appareil.</p>
				<form method="post" action={href("/bureau/personnes/export")} className="mt-3">
					<input type="hidden" name="email" value={email} />
					<button type="submit" className={button("secondary")}>
						Télécharger l’export
					</button>
				</form>
			</section>
			<section aria-labelledby="effacer" className="mt-8">
				<h2 id="effacer" className="text-xl">
					2. Effacer
				</h2>
				<p className="mt-1 text-sm text-soft">
					Sans retour. Une commande en cours, contestée ou en remboursement n’est effacée qu’après sa fin. Le journal garde la preuve de
					l’effacement, sans les données.
				</p>
				<ActForm act="erase-person" order={null} className="mt-3 space-y-4">
					{({ busy, outcome }) => (
						<>
							<input type="hidden" name="email" value={email} />
							<TextField
								name="again"
								type="email"
								label="Retapez l’adresse pour confirmer"
								autoComplete="off"
								required
								error={findFieldError(outcome, "again")}
							/>
							<button type="submit" disabled={busy} className={button("secondary")}>
								Effacer cette personne
							</button>
						</>
					)}
				</ActForm>
			</section>
		</>
	);
}
