import { href } from "react-router";
import { formatPeriod, retention } from "../../catalogue/retention.ts";
import { HomeBreadcrumb } from "../../ui/breadcrumb.tsx";
import { button } from "../../ui/button.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page, Section, Title } from "../../ui/page.tsx";
import { Siren } from "../../ui/siren.tsx";
import { companyName } from "../company-name.ts";
import { CompanyName } from "../company-name.tsx";
import { formatChoices } from "./alert-choices.ts";
import { AlertFields } from "./alert-fields.tsx";
import type { FollowedCompany } from "./alerts.store.server.ts";

interface ManagePageProps {
	companies: readonly FollowedCompany[];
	/** When all alerts end without an act of their owner: « 26 novembre 2029 ». */
	endsOn: string | null;
	/** Whether the bulletin is read: otherwise no alert is sent. */
	watched: boolean;
	/** What was just done. */
	done: string | null;
	/** What was refused, and the alert that it was about. */
	refused: { sentence: string; alertId: string | null; typed: string } | null;
}

/** All alerts of one mailbox. Each act is a form that posts to the page's URL. */
export function ManagePage({ companies, endsOn, watched, done, refused }: ManagePageProps) {
	const count = companies.length;
	return (
		<Page width="reading">
			<Title
				above={<HomeBreadcrumb label="Mes alertes" />}
				lead={
					count === 0
						? "Vous ne suivez aucune entreprise."
						: watched
							? `Vous recevez un e-mail quand une annonce paraît sur ${count === 1 ? "cette entreprise" : `ces ${count} entreprises`}.`
							: `Vous suivez ${count === 1 ? "cette entreprise" : `ces ${count} entreprises`}. Pas d’alerte en ce moment\u00a0: nous ne relevons pas le BODACC.`
				}
			>
				Mes alertes
			</Title>
			{done && <Notice kind="done" title={done} live className="mb-8" />}
			{refused && refused.alertId !== null && <Notice kind="failed" title={refused.sentence} live className="mb-8" />}
			{count > 0 && (
				<ul className="mb-10 border-t border-line">
					{companies.map((company) => (
						<CompanyAlert key={company.id} company={company} isOpen={refused?.alertId === company.id} />
					))}
				</ul>
			)}
			<Section title="Suivre une autre entreprise">
				<form method="post" noValidate className="max-w-form">
					<TextField
						name="siren"
						inputMode="numeric"
						autoComplete="off"
						label="SIREN de l’entreprise"
						hint="Neuf chiffres. Il n’y aura rien à confirmer par e-mail."
						error={refused?.alertId === null ? refused.sentence : undefined}
						defaultValue={refused?.typed}
					/>
					<p className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-2">
						<Submit act="follow">Suivre</Submit>
						<a href={href("/recherche")} className={button("quiet")}>
							Rechercher une entreprise
						</a>
					</p>
				</form>
			</Section>
			{count > 0 && (
				<Section title="Durée et arrêt">
					{endsOn && <p className="mb-4">{`Sans action de votre part sur cette page, vos alertes s’arrêtent le ${endsOn}.`}</p>}
					<form method="post" className="flex flex-wrap gap-x-4 gap-y-3">
						<Submit act="keep">{`Prolonger de ${formatPeriod(retention.marketing)}`}</Submit>
						<Submit act="end-all">Arrêter toutes mes alertes</Submit>
					</form>
				</Section>
			)}
		</Page>
	);
}

function CompanyAlert({ company, isOpen }: { company: FollowedCompany; isOpen: boolean }) {
	const { id, siren, name } = company;
	return (
		<li className="border-b border-line py-4">
			<h2 className="text-lg">
				<a href={href("/entreprise/:siren", { siren })} className="link">
					<CompanyName name={companyName(name)} />
				</a>
			</h2>
			<p className="text-sm text-soft">
				SIREN <Siren value={siren} />
			</p>
			<p className="mt-1">
				{name ? formatChoices(company) : "Sa diffusion est désormais restreinte\u00a0: nous n’envoyons plus d’alerte à son sujet."}
			</p>
			<Disclosure title="Modifier" className="mt-1" open={isOpen}>
				<form method="post" className="grid gap-4 pb-2">
					<input type="hidden" name="alert" value={id} />
					<AlertFields choices={company} idPrefix={`${id}-`} />
					<p>
						<Submit act="change">Enregistrer</Submit>
					</p>
				</form>
			</Disclosure>
			<form method="post">
				<input type="hidden" name="alert" value={id} />
				<button type="submit" name="do" value="end" className={button("quiet")} aria-label={`Ne plus suivre ${name ?? siren}`}>
					Ne plus suivre
				</button>
			</form>
		</li>
	);
}

const Submit = ({ act, children }: { act: string; children: string }) => (
	<button type="submit" name="do" value={act} className={button("secondary")}>
		{children}
	</button>
);
