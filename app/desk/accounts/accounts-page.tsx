import { href, Link, type ShouldRevalidateFunctionArgs, useActionData } from "react-router";
import { monthNames } from "../../catalogue/settings/shop-settings.ts";
import { shopContext } from "../../shop.ts";
import { button } from "../../ui/button.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { SelectField, TextAreaField, TextField } from "../../ui/field.tsx";
import { Notice, Status } from "../../ui/notice.tsx";
import type { ActOutcome } from "../acts/act.ts";
import { ActForm } from "../acts/act-form.tsx";
import { keepPage } from "../shell/keep-page.ts";
import { getSignedIn } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/accounts-page";
import type { AccountsView } from "./accounts-views.ts";
import { FigureList } from "./figure-list.tsx";
import { readAccounts } from "./read-accounts.server.ts";

export const meta: Route.MetaFunction = () => [{ title: "Comptes – bureau" }];

export async function loader({ context }: Route.LoaderArgs) {
	return { ...(await readAccounts(context.get(shopContext))), mayAct: getSignedIn(context).operator.roles.includes("accounts") };
}

/** Not at every change of the desk: to read the books takes longer than they change. */
export const shouldRevalidate = (args: ShouldRevalidateFunctionArgs) =>
	(args.formMethod !== undefined || args.currentUrl.href !== args.nextUrl.href) && keepPage(args);

export { keepUnsentAct as clientAction } from "../acts/act-form.tsx";
export { answerActForm as action } from "../acts/answer-act-form.server.ts";

/** The months of the books, with their state and sums. */
export default function AccountsPage({ loaderData: { mayAct, ...view } }: Route.ComponentProps) {
	const { rows, postedAt, readUntil } = view;
	return (
		<div className="mx-auto max-w-page">
			<h1 className="text-2xl">Comptes</h1>
			<div className="mt-2 flex flex-wrap items-center gap-x-6 gap-y-2">
				<p className="text-sm text-soft">
					{postedAt ? `Dernières écritures\u00a0: ${postedAt}. ` : "Aucune écriture n’a encore été passée. "}
					{readUntil ? `Solde du prestataire lu jusqu’au ${readUntil}.` : "Le solde du prestataire n’a pas encore été lu."}
				</p>
				{mayAct && (
					<ActForm act="update-accounts" order={null}>
						{({ busy }) => (
							<button type="submit" disabled={busy} className={button("secondary")}>
								Mettre à jour
							</button>
						)}
					</ActForm>
				)}
			</div>
			{rows.length === 0 ? (
				<Notice kind="info" className="mt-8">
					<p>Les mois s’afficheront ici après la première vente. Les comptes se mettent aussi à jour chaque nuit.</p>
				</Notice>
			) : (
				<ul className="mt-6 divide-y divide-line border-y border-line">
					{rows.map(({ month, name, closed, running, figures }) => (
						<li key={month} className="py-4">
							<div className="flex flex-wrap items-baseline gap-x-4">
								<h2 className="text-lg">
									<Link to={href("/bureau/comptes/:month", { month })} className="inline-flex min-h-11 items-center underline">
										{name}
									</Link>
								</h2>
								{closed ? (
									<Status kind="done">Clôturé le {closed}</Status>
								) : (
									<Status kind="waiting">{running ? "En cours" : "Ouvert"}</Status>
								)}
							</div>
							<FigureList figures={figures} />
						</li>
					))}
				</ul>
			)}
			{view.years.length > 0 && <Years view={view} />}
			{mayAct && <SoftwareForm view={view} />}
			{mayAct && <ExtractCosts />}
		</div>
	);
}

/** The fiscal years, each as one file. */
function Years({ view: { years, hasTwoSeries } }: { view: AccountsView }) {
	return (
		<section aria-labelledby="exercices" className="mt-10">
			<h2 id="exercices" className="text-xl">
				Exercices
			</h2>
			<p className="mt-1 text-sm text-soft">
				Les écritures d’un exercice entier, au format du FEC. Le FEC légal de l’exercice vient de votre logiciel&nbsp;; celui-ci contient
				les ventes et l’argent.
				{hasTwoSeries && " Les numéros suivent l’année civile\u00a0; l’exercice en contient deux séries."}
			</p>
			<ul className="mt-3 divide-y divide-line border-y border-line">
				{years.map(({ name, href: target, provisional }) => (
					<li key={name} className="flex flex-wrap items-center gap-x-4 py-1">
						<a href={target} download className="inline-flex min-h-11 items-center underline">
							{name}
						</a>
						{provisional && <span className="text-sm text-soft">{provisional}</span>}
					</li>
				))}
			</ul>
		</section>
	);
}

/** How files are written for the accountant's software. */
function SoftwareForm({ view: { books, booksText, columns } }: { view: AccountsView }) {
	// without JavaScript, what was refused is shown where it was typed
	const posted = useActionData<ActOutcome>();
	return (
		<Disclosure
			title="Votre logiciel"
			className="mt-10 max-w-form border-y"
			open={posted?.act === "set-books" && posted.state === "refused"}
		>
			<p className="mt-2 text-sm text-soft">
				Aujourd’hui&nbsp;: {booksText}. Ce choix vaut pour les fichiers d’exercice et ceux de «&nbsp;Pour votre logiciel&nbsp;». Les
				fichiers d’un mois et leur empreinte n’en dépendent pas.
			</p>
			<ActForm act="set-books" order={null} className="mt-4 mb-4 space-y-4">
				{({ busy, outcome }) => {
					const findError = (field: string) => (outcome?.state === "refused" && outcome.field === field ? outcome.text : undefined);
					return (
						<>
							<SelectField name="customers" label="Clients" defaultValue={books.customers} error={findError("customers")}>
								<option value="order">Un compte auxiliaire par commande</option>
								<option value="collective">Un seul compte collectif, sans auxiliaire</option>
							</SelectField>
							<SelectField name="yearStart" label="L’exercice commence en" defaultValue={books.yearStart} error={findError("yearStart")}>
								{monthNames.map((name, at) => (
									<option key={name} value={at + 1}>
										{name}
									</option>
								))}
							</SelectField>
							<SelectField
								name="layout"
								label="Journal de chaque mois, pour l’import"
								defaultValue={books.layout}
								error={findError("layout")}
							>
								<option value="none">Aucun</option>
								<option value="sage100">Pour Sage 100</option>
								<option value="own">Dans vos colonnes</option>
							</SelectField>
							<TextAreaField
								name="ownColumns"
								label="Vos colonnes, dans l’ordre"
								hint={`Les noms du FEC, séparés par des espaces\u00a0; un tiret pour une colonne vide. ${columns.join(" ")}`}
								rows={3}
								defaultValue={books.ownColumns.join(" ")}
								error={findError("ownColumns")}
							/>
							<SelectField
								name="salesPeriod"
								label="E-reporting des ventes"
								hint="Par décade si vous déclarez la TVA chaque mois au régime réel normal. Les paiements se transmettent par mois."
								defaultValue={books.salesPeriod}
								error={findError("salesPeriod")}
							>
								<option value="month">Par mois</option>
								<option value="decade">Par décade (1 à 10, 11 à 20, 21 à la fin)</option>
							</SelectField>
							<TextField
								name="platformName"
								label="Plateforme agréée"
								optional
								hint={"Vide\u00a0: aucune transmission n’est préparée."}
								defaultValue={books.platform?.name}
								error={findError("platformName")}
							/>
							<TextField
								name="platformId"
								label="Matricule de la plateforme, quatre caractères"
								optional
								defaultValue={books.platform?.id}
								error={findError("platformId")}
							/>
							<button type="submit" disabled={busy} className={button("secondary")}>
								Enregistrer
							</button>
						</>
					);
				}}
			</ActForm>
		</Disclosure>
	);
}

/** What the greffe charged for an order, noted after its bill. */
function ExtractCosts() {
	return (
		<section aria-labelledby="cout" className="mt-10 max-w-form">
			<h2 id="cout" className="text-xl">
				Noter le coût d’un extrait
			</h2>
			<p className="mt-1 text-sm text-soft">
				Ce que le greffe a pris en tout pour une commande. Sans montant, c’est le tarif officiel qui compte.
			</p>
			<ActForm act="record-extract-cost" order={null} className="mt-4 flex flex-wrap items-end gap-4">
				{({ busy, outcome }) => {
					const findError = (field: string) => (outcome?.state === "refused" && outcome.field === field ? outcome.text : undefined);
					return (
						<>
							<TextField name="number" label="Commande" required placeholder="KB-7F3K-92QD" error={findError("number")} />
							<TextField
								name="amount"
								label="Montant, en euros"
								required
								inputMode="decimal"
								placeholder="3,20"
								error={findError("amount")}
							/>
							<button type="submit" disabled={busy} className={button("secondary")}>
								Noter
							</button>
						</>
					);
				}}
			</ActForm>
		</section>
	);
}
