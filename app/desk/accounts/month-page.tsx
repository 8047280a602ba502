import type { ReactNode } from "react";
import { data, href, Link, type ShouldRevalidateFunctionArgs } from "react-router";
import { parseMonth } from "../../books/month.ts";
import { shopContext } from "../../shop.ts";
import { button } from "../../ui/button.tsx";
import { CheckboxField } from "../../ui/field.tsx";
import { Notice, Status } from "../../ui/notice.tsx";
import { ActForm } from "../acts/act-form.tsx";
import { keepPage } from "../shell/keep-page.ts";
import { getSignedIn } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/month-page";
import type { MonthView, ReportView } from "./accounts-views.ts";
import { FigureList } from "./figure-list.tsx";
import { readAccountsMonth } from "./read-accounts.server.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: `${loaderData?.view.name ?? "Comptes"} – bureau` }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
	const month = parseMonth(params.month);
	const view = month && (await readAccountsMonth(context.get(shopContext), month));
	if (view === null) throw data(null, { status: 404 });
	const mayAct = getSignedIn(context).operator.roles.includes("accounts");
	return { view, mayAct, closing: new URL(request.url).searchParams.get("cloture") === "oui" };
}

/** Not at every change of the desk: to read the books takes longer than they change. */
export const shouldRevalidate = (args: ShouldRevalidateFunctionArgs) =>
	(args.formMethod !== undefined || args.currentUrl.href !== args.nextUrl.href) && keepPage(args);

export { keepUnsentAct as clientAction } from "../acts/act-form.tsx";
export { answerActForm as action } from "../acts/answer-act-form.server.ts";

/** One month: sums, VAT, what differs, the files, and its closing. @param closing shows the second step of the closing. */
export default function MonthPage({ loaderData: { view, mayAct, closing } }: Route.ComponentProps) {
	const { month, name, state, closed, figures, bases, vatDifference, vat, blocking, remarks, hidden, imports, reports } = view;
	return (
		<div className="mx-auto max-w-page">
			<p>
				<Link to={href("/bureau/comptes")} className="inline-flex min-h-11 items-center underline">
					Comptes
				</Link>
			</p>
			<div className="flex flex-wrap items-baseline gap-x-4">
				<h1 className="text-2xl">{name}</h1>
				{state === "closed" ? (
					<Status kind="done">Clôturé le {closed}</Status>
				) : (
					<Status kind="waiting">{state === "open" ? "Ouvert" : "En cours"}</Status>
				)}
			</div>
			<div className="mt-4">
				<FigureList figures={figures} />
				{bases && <p className="mt-3 text-sm text-soft">{bases}</p>}
			</div>
			{blocking.length > 0 && (
				<Notice kind="failed" title="Ce qui empêche la clôture" className="mt-6">
					<SentenceList sentences={blocking} />
				</Notice>
			)}
			{remarks.length > 0 && (
				<Notice kind="warning" title="À savoir" className="mt-6">
					<SentenceList sentences={remarks} />
				</Notice>
			)}
			{hidden > 0 && (
				<p className="mt-3 text-sm text-soft">
					Points non affichés&nbsp;: {hidden}. La commande «&nbsp;npm run accounts -- show&nbsp;» donne la liste complète.
				</p>
			)}
			{vat.length > 0 && (
				<PageSection title="TVA sur les encaissements">
					{/* biome-ignore lint/a11y/noNoninteractiveTabindex: where it is wider than the screen, keys must reach it */}
					<section aria-label="TVA par taux" tabIndex={0} className="overflow-x-auto">
						<table className="figures w-full max-w-reading text-left max-sm:text-sm">
							<thead>
								<tr className="border-b border-line text-sm text-soft">
									{["Taux", "Ventes HT", "Avoirs HT", "Base HT", "TVA"].map((head) => (
										<th key={head} scope="col" className="py-2 pr-2 sm:pr-4 font-normal">
											{head}
										</th>
									))}
								</tr>
							</thead>
							<tbody>
								{vat.map(({ rate, sales, creditNotes, net, vat: amount }) => (
									<tr key={rate} className="border-b border-line">
										<th scope="row" className="py-2 pr-2 sm:pr-4 font-normal">
											{rate}
										</th>
										{[sales, creditNotes, net, amount].map((cell, at) => (
											// biome-ignore lint/suspicious/noArrayIndexKey: the cells of a row never move
											<td key={at} className="py-2 pr-2 sm:pr-4">
												{cell}
											</td>
										))}
									</tr>
								))}
							</tbody>
						</table>
					</section>
					{vatDifference && (
						<p className="mt-2 text-sm text-soft">
							{vatDifference}{" "}
							<a href={href("/bureau/comptes/:month/:file", { month, file: "vat-difference" })} download className="underline">
								Détail
							</a>
						</p>
					)}
				</PageSection>
			)}
			<FileSection view={view} />
			{imports.length > 0 && (
				<PageSection title="Pour votre logiciel">
					<p className="text-sm text-soft">Refaits à la demande d’après les écritures, qui ne changent pas.</p>
					<ul className="mt-2 divide-y divide-line border-y border-line">
						{imports.map(({ href: target, label, name: file }) => (
							<li key={file} className="py-2">
								<a href={target} download className="inline-flex min-h-11 items-center underline">
									{label}
								</a>
								<p className="text-sm text-soft [overflow-wrap:anywhere]">{file}</p>
							</li>
						))}
					</ul>
				</PageSection>
			)}
			{reports.length > 0 && (
				<PageSection title="E-reporting">
					<p className="text-sm text-soft">
						Le fichier XML du flux 10, pour votre plateforme agréée. Il est gardé tel quel&nbsp;; ce qui change ensuite donne une
						transmission rectificative de toute la période.
					</p>
					<ul className="mt-2 divide-y divide-line border-y border-line">
						{reports.map((report) => (
							<li key={report.title} className="py-2">
								<ReportRow report={report} mayAct={mayAct} />
							</li>
						))}
					</ul>
				</PageSection>
			)}
			{mayAct && state !== "closed" && <ClosingSection view={view} closing={closing} />}
		</div>
	);
}

const SentenceList = ({ sentences }: { sentences: readonly string[] }) => (
	<ul className="mt-1 space-y-1">
		{sentences.map((sentence) => (
			<li key={sentence} className="[overflow-wrap:anywhere]">
				{sentence}
			</li>
		))}
	</ul>
);

function PageSection({ title, children }: { title: string; children: ReactNode }) {
	return (
		<section className="mt-8">
			<h2 className="mb-2 text-xl">{title}</h2>
			{children}
		</section>
	);
}

function ReportRow({ report: { title, note, files, form }, mayAct }: { report: ReportView; mayAct: boolean }) {
	return (
		<>
			<h3 className="font-sans text-base">{title}</h3>
			{files.map(({ href: target, name, made }) => (
				<p key={name} className="[overflow-wrap:anywhere]">
					<a href={target} download className="inline-flex min-h-11 items-center underline">
						{name}
					</a>
					<span className="block text-sm text-soft">{made}</span>
				</p>
			))}
			{note && <p className="text-sm text-soft">{note}</p>}
			{mayAct && form && (
				<ActForm act="prepare-e-report" order={null} className="my-2">
					{({ busy }) => (
						<>
							<input type="hidden" name="flow" value={form.flow} />
							<input type="hidden" name="start" value={form.start} />
							<input type="hidden" name="end" value={form.end} />
							<button type="submit" disabled={busy} className={button("secondary")}>
								{form.label}
								<span className="sr-only">&nbsp;: {title.toLowerCase()}</span>
							</button>
						</>
					)}
				</ActForm>
			)}
		</>
	);
}

function FileSection({ view: { files, zip, state } }: { view: MonthView }) {
	return (
		<PageSection title="Fichiers pour l’expert-comptable">
			<p className="text-sm text-soft">
				{state === "closed"
					? "Identiques à ceux de la clôture, octet pour octet."
					: "Provisoires jusqu’à la clôture\u00a0; les mêmes écritures donnent les mêmes fichiers."}
			</p>
			<ul className="mt-2 divide-y divide-line border-y border-line">
				{files.map(({ href: target, label, name, sha256 }) => (
					<li key={name} className="py-2">
						<a href={target} download className="inline-flex min-h-11 items-center underline">
							{label}
						</a>
						<p className="text-sm text-soft [overflow-wrap:anywhere]">
							{name}
							{sha256 && <span className="figures block">SHA-256 {sha256}</span>}
							{state === "closed" && !sha256 && (
								<span className="block">Refait aujourd’hui&nbsp;: ce mois a été clôturé avant que ce fichier n’existe.</span>
							)}
						</p>
					</li>
				))}
				{zip && (
					<li className="py-2">
						<a href={zip.href} download className="inline-flex min-h-11 items-center underline">
							PDF des factures et avoirs ({zip.count})
						</a>
					</li>
				)}
			</ul>
		</PageSection>
	);
}

function ClosingSection({ view: { month, name, state, blocking, hash, figures }, closing }: { view: MonthView; closing: boolean }) {
	if (state === "running")
		return (
			<PageSection title="Clôture">
				<p>Vous pourrez clôturer ce mois quand il sera terminé.</p>
			</PageSection>
		);
	if (blocking.length > 0)
		return (
			<PageSection title="Clôture">
				<p>Vous pourrez clôturer ce mois quand les points ci-dessus seront réglés.</p>
			</PageSection>
		);
	return (
		<PageSection title="Clôture">
			{closing ? (
				<ActForm act="close-month" order={null} className="space-y-4" action={href("/bureau/comptes/:month", { month })}>
					{({ busy, outcome }) => (
						<>
							<p>Une clôture est définitive&nbsp;: rien ne change plus dans ce mois, et ce qui arrive ensuite compte dans le suivant.</p>
							<FigureList figures={figures.slice(0, 6)} />
							<input type="hidden" name="month" value={month} />
							<input type="hidden" name="seen" value={hash} />
							<CheckboxField
								name="confirmed"
								label="J’ai relu ces sommes."
								error={outcome?.state === "refused" && outcome.field === "confirmed" ? outcome.text : undefined}
							/>
							<div className="flex flex-wrap gap-4">
								<button type="submit" disabled={busy} className={button()}>
									Clôturer {name.toLowerCase()}
								</button>
								<Link to={href("/bureau/comptes/:month", { month })} className={button("quiet")}>
									Plus tard
								</Link>
							</div>
						</>
					)}
				</ActForm>
			) : (
				<Link to={{ search: "?cloture=oui" }} className={button()}>
					Préparer la clôture
				</Link>
			)}
		</PageSection>
	);
}
