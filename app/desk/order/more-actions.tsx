import { useEffect } from "react";
import { Link, useLocation } from "react-router";
import { formatSiren, parseSiren } from "../../companies/siren.ts";
import { notFoundReasons } from "../../orders/lifecycle.ts";
import { button } from "../../ui/button.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { CheckboxField, SelectField, TextAreaField, TextField } from "../../ui/field.tsx";
import { ExtractCostForm } from "../accounts/extract-cost-form.tsx";
import { ActForm, findFieldError } from "../acts/act-form.tsx";
import { ShareForm } from "../sharing/share-form.tsx";
import type { OrderView } from "./read-order.server.ts";
import { notFoundReasonLabels } from "./serving-sentences.ts";

/** The id of the form « Changer l’entreprise » with its title. */
const changeCompanyId = "changer-entreprise";

/** The SIREN of a namesake whose link was followed: it fills in the form « Changer l’entreprise », also without JavaScript. */
function useProposedSiren(): string | null {
	const { key, search } = useLocation();
	// the framework's useSearchParams would be in the scripts of every page of the shop
	const proposed = parseSiren(new URLSearchParams(search).get("entreprise") ?? "");
	useEffect(() => {
		// the operator may have folded it since the link before
		const form = key && proposed && document.getElementById(changeCompanyId);
		if (form instanceof HTMLDetailsElement) form.open = true;
	}, [key, proposed]);
	return proposed;
}

/** Other companies of the same name, as links that fill in the form « Changer l’entreprise ». */
function Namesakes({ namesakes }: Pick<OrderView, "namesakes">) {
	if (namesakes.length === 0) return null;
	return (
		<ul className="text-sm">
			{namesakes.map(({ siren, name, city }) => (
				<li key={siren}>
					<Link className="link inline-flex min-h-11 items-center" to={`?entreprise=${siren}#${changeCompanyId}`}>
						{name}
						{city && `, ${city}`}&nbsp;: {formatSiren(siren)}
					</Link>
				</li>
			))}
		</ul>
	);
}

/** What is done with an order besides delivering: folded, each behind its name. */
export function MoreActions({ order }: { order: OrderView }) {
	const { may } = order;
	const proposed = useProposedSiren();
	const actions = [
		may.deliver && { title: "Extrait introuvable", form: <NotFoundForm order={order} /> },
		may.deliver && {
			title: "Changer l’entreprise",
			form: <CompanyForm order={order} proposed={proposed} />,
			id: changeCompanyId,
			open: proposed !== null,
		},
		may.correctTracking && { title: "Corriger le numéro de suivi", form: <TrackingForm order={order} /> },
		may.write && order.customer && { title: "Corriger l’adresse e-mail", form: <AddressForm order={order} customer={order.customer} /> },
		may.write &&
			order.letterTo && { title: "Corriger l’adresse du courrier", form: <LetterForm order={order} letterTo={order.letterTo} /> },
		may.write && order.resendable.length > 0 && { title: "Renvoyer un e-mail", form: <ResendForm order={order} /> },
		order.shares.length > 0 && { title: "Retirer un lien de partage", form: <ShareForm order={order.id} shares={order.shares} /> },
		order.status !== "pending" && { title: "Coût de l’extrait", form: <ExtractCostForm order={order} /> },
	].filter((action) => action !== false && action !== null);
	if (actions.length === 0) return null;
	return (
		<section aria-labelledby="actions">
			<h2 id="actions" className="text-lg">
				Autres actions
			</h2>
			<div className="mt-2 divide-y divide-line border-y border-line">
				{actions.map(({ title, form, ...folded }) => (
					<Disclosure key={title} title={title} {...folded}>
						<div className="pb-5">{form}</div>
					</Disclosure>
				))}
			</div>
		</section>
	);
}

function NotFoundForm({ order }: { order: OrderView }) {
	return (
		<ActForm act="not-found" order={order.id} className="space-y-3">
			{({ busy, outcome }) => (
				<>
					<p className="text-sm">
						La commande échoue et elle est remboursée en entier. La raison complète l’e-mail du client.
						{order.namesakes.length > 0 &&
							" D’autres entreprises portent ce nom\u00a0: avec l’accord du client, changez plutôt l’entreprise."}
					</p>
					<Namesakes namesakes={order.namesakes} />
					<SelectField
						name="because"
						id={`because-${order.id}`}
						label="Pourquoi"
						required
						defaultValue=""
						error={findFieldError(outcome, "because")}
					>
						<option value="">Choisissez</option>
						{notFoundReasons.map((reason) => (
							<option key={reason} value={reason}>
								{notFoundReasonLabels[reason]}
							</option>
						))}
					</SelectField>
					<button type="submit" disabled={busy} className={button("secondary")}>
						Signaler introuvable et rembourser
					</button>
				</>
			)}
		</ActForm>
	);
}

function CompanyForm({ order, proposed }: { order: OrderView; proposed: string | null }) {
	return (
		<ActForm act="change-company" order={order.id} className="space-y-3">
			{({ busy, outcome }) => (
				<>
					<p className="text-sm">Le prix et l’heure promise restent. Le client reçoit un e-mail et, si besoin, une nouvelle facture.</p>
					<Namesakes namesakes={order.namesakes} />
					<TextField
						key={proposed}
						name="siren"
						id={`siren-${order.id}`}
						defaultValue={proposed === null ? "" : formatSiren(proposed)}
						label="SIREN de la bonne entreprise"
						inputMode="numeric"
						required
						className="max-w-60"
						error={findFieldError(outcome, "siren")}
					/>
					<TextAreaField
						name="agreement"
						label="Accord du client"
						hint="Quand et comment&nbsp;: par exemple «&nbsp;par téléphone, lundi à 10&nbsp;h 12&nbsp;»."
						rows={2}
						maxLength={2000}
						required
						error={findFieldError(outcome, "agreement")}
					/>
					<button type="submit" disabled={busy} className={button("secondary")}>
						Changer l’entreprise
					</button>
				</>
			)}
		</ActForm>
	);
}

function TrackingForm({ order }: { order: OrderView }) {
	return (
		<ActForm act="correct-tracking" order={order.id} className="space-y-3">
			{({ busy, outcome }) => (
				<>
					<TextField
						name="tracking"
						label="Nouveau numéro de suivi"
						required
						className="max-w-80"
						error={findFieldError(outcome, "tracking")}
					/>
					{findFieldError(outcome, "confirmed") && (
						<CheckboxField
							name="confirmed"
							label="C’est bien le numéro de l’étiquette."
							required
							error={findFieldError(outcome, "confirmed")}
						/>
					)}
					<TextField
						name="because"
						id={`because-tracking-${order.id}`}
						label="Pourquoi"
						hint="Reste au bureau. Ne nommez personne."
						maxLength={500}
						required
						error={findFieldError(outcome, "because")}
					/>
					<button type="submit" disabled={busy} className={button("secondary")}>
						Corriger
					</button>
				</>
			)}
		</ActForm>
	);
}

function AddressForm({ order, customer }: { order: OrderView; customer: NonNullable<OrderView["customer"]> }) {
	return (
		<ActForm act="correct-address" order={order.id} className="space-y-3">
			{({ busy, outcome }) => (
				<>
					<TextField
						name="email"
						type="email"
						label="E-mail du client"
						defaultValue={customer.email}
						required
						error={findFieldError(outcome, "email")}
					/>
					{!order.posted && (
						<TextField
							name="recipient"
							type="email"
							label="Destinataire"
							optional
							defaultValue={customer.recipient ?? ""}
							error={findFieldError(outcome, "recipient")}
						/>
					)}
					<button type="submit" disabled={busy} className={button("secondary")}>
						Corriger
					</button>
				</>
			)}
		</ActForm>
	);
}

function LetterForm({ order, letterTo }: { order: OrderView; letterTo: NonNullable<OrderView["letterTo"]> }) {
	const fields = [
		["deliveryName", "À l’attention de"],
		["deliveryComplement", "Complément"],
		["deliveryAddress", "Adresse"],
		["deliveryPostalCode", "Code postal"],
		["deliveryCity", "Ville"],
	] as const;
	return (
		<ActForm act="correct-letter" order={order.id} className="space-y-3">
			{({ busy, outcome }) => (
				<>
					<p className="text-sm">Un courrier déjà imprimé sera à imprimer de nouveau.</p>
					{fields.map(([name, label]) => (
						<TextField key={name} name={name} label={label} defaultValue={letterTo[name]} error={findFieldError(outcome, name)} />
					))}
					<button type="submit" disabled={busy} className={button("secondary")}>
						Corriger
					</button>
				</>
			)}
		</ActForm>
	);
}

function ResendForm({ order }: { order: OrderView }) {
	return (
		<ActForm act="resend" order={order.id} className="space-y-3">
			{({ busy, outcome }) => (
				<>
					<SelectField name="kind" label="E-mail" required error={findFieldError(outcome, "kind")}>
						{order.resendable.map(({ kind, label }) => (
							<option key={kind} value={kind}>
								{label}
							</option>
						))}
					</SelectField>
					<button type="submit" disabled={busy} className={button("secondary")}>
						Renvoyer
					</button>
				</>
			)}
		</ActForm>
	);
}
