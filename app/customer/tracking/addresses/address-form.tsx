import { Form } from "react-router";
import { button } from "../../../ui/button.tsx";
import { Disclosure } from "../../../ui/disclosure.tsx";
import { ErrorSummary } from "../../../ui/error-summary.tsx";
import { TextField } from "../../../ui/field.tsx";
import { FocusedNotice, Refusal } from "../refusal.tsx";
import type { RefusedCorrection } from "./address-sentences.ts";

export interface AddressFormProps {
	/**
	 * The addresses of the order. `recipient`: null where a second one cannot be given. `meant`: what was probably meant by an address whose
	 * domain looks mistyped. `delivered`: only a second address can be given any more. `several`: they are those of several orders.
	 */
	addresses: {
		email: string;
		recipient: string | null;
		meant: { email: string | null; recipient: string | null };
		delivered: boolean;
		several: boolean;
	};
	refused: RefusedCorrection | null;
}

/** « Mauvaise adresse ? Corriger », while nothing is delivered (`intent=correct-addresses`). */
export function AddressForm({ addresses, refused }: AddressFormProps) {
	const typed = refused ?? addresses;
	const error = (field: RefusedCorrection["field"]) => (refused?.field === field ? refused.correction : undefined);
	const { email, recipient, meant } = addresses;
	if (addresses.delivered)
		return (
			<>
				{refused === null && meant.email && <Question meant={meant.email} fields={{ email, recipient: meant.email }} verb="Renvoyer" />}
				<ResendForm addresses={addresses} typed={typed.recipient} error={error("recipient")} />
			</>
		);
	return (
		<>
			{refused === null && meant.email && <Question meant={meant.email} fields={{ email: meant.email, recipient: recipient ?? "" }} />}
			{refused === null && meant.recipient && <Question meant={meant.recipient} fields={{ email, recipient: meant.recipient }} />}
			{/* folded again once corrected */}
			<Disclosure
				key={JSON.stringify(addresses)}
				title={"Mauvaise adresse e-mail\u00a0? Corriger"}
				open={refused !== null}
				className="mt-4 border-y print:hidden"
			>
				<Form method="post" reloadDocument className="grid gap-5 pb-5" noValidate>
					<TextField
						name="email"
						type="email"
						label="Votre adresse e-mail"
						hint="Nous y renvoyons la confirmation. L’ancienne adresse ne permettra plus d’ouvrir la commande."
						autoComplete="email"
						defaultValue={typed.email}
						error={error("email")}
					/>
					{addresses.recipient !== null && (
						<TextField
							name="recipient"
							type="email"
							label={`Envoyer aussi ${addresses.several ? "les extraits" : "l’extrait"} à une autre adresse e-mail`}
							optional
							autoComplete="off"
							defaultValue={typed.recipient ?? ""}
							error={error("recipient")}
						/>
					)}
					<div>
						<button type="submit" name="intent" value="correct-addresses" className={button("secondary")}>
							Corriger
						</button>
					</div>
				</Form>
			</Disclosure>
		</>
	);
}

/** Asks about an address that looks mistyped; its button corrects it, or sends a delivered extract to the one that was meant. */
function Question({
	meant,
	fields,
	verb = "Corriger l’adresse",
}: {
	meant: string;
	fields: { email: string; recipient: string };
	verb?: string;
}) {
	return (
		<Form method="post" reloadDocument className="mt-4 flex flex-wrap items-center gap-x-3 border-l-2 border-waiting pl-3 print:hidden">
			{Object.entries(fields).map(([name, value]) => (
				<input key={name} type="hidden" name={name} value={value} />
			))}
			<span>
				Vouliez-vous dire <strong className="break-all">{meant}</strong>&nbsp;?
			</span>
			<button type="submit" name="intent" value="correct-addresses" className={button("quiet")}>
				{verb}
			</button>
		</Form>
	);
}

/** « Renvoyer à une autre adresse », once the extracts were sent: their e-mails may have gone astray. The order keeps its address. */
function ResendForm({
	addresses,
	typed,
	error,
}: {
	addresses: AddressFormProps["addresses"];
	typed: string | null;
	error?: string | undefined;
}) {
	return (
		<Disclosure title="Renvoyer à une autre adresse e-mail" open={typed !== addresses.recipient} className="mt-4 border-y print:hidden">
			<Form method="post" reloadDocument className="grid gap-5 pb-5" noValidate>
				<input type="hidden" name="email" value={addresses.email} />
				<TextField
					name="recipient"
					type="email"
					label="Autre adresse e-mail"
					hint={`Nous y envoyons ${addresses.several ? "tous les extraits encore téléchargeables de votre commande groupée" : "l’extrait"}. L’adresse de votre commande ne change pas.`}
					autoComplete="off"
					defaultValue={typed ?? ""}
					error={error}
				/>
				<div>
					<button type="submit" name="intent" value="correct-addresses" className={button("secondary")}>
						Renvoyer
					</button>
				</div>
			</Form>
		</Disclosure>
	);
}

export interface CorrectedNoticeProps {
	/** Null for nothing. */
	notice: { title: string; sentences: readonly string[] } | null;
}

/** « Adresse corrigée » or « Extrait renvoyé », with what is sent where. */
export function CorrectedNotice({ notice }: CorrectedNoticeProps) {
	if (notice === null) return null;
	return (
		<FocusedNotice kind="done" title={notice.title} message={notice.sentences.join(" ")}>
			{notice.sentences.map((sentence) => (
				<p key={sentence} className="break-words">
					{sentence}
				</p>
			))}
		</FocusedNotice>
	);
}

/** Why a correction was refused, at the top of the page. */
export function RefusedCorrectionSummary({ refused: { field, correction } }: { refused: RefusedCorrection }) {
	return field === null ? <Refusal sentence={correction} /> : <ErrorSummary errors={[{ field, message: correction }]} />;
}
