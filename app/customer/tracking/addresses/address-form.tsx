import { Form, href } from "react-router";
import { formatInstant } from "../../../catalogue/instants.ts";
import { button } from "../../../ui/button.tsx";
import { Disclosure } from "../../../ui/disclosure.tsx";
import { ErrorSummary } from "../../../ui/error-summary.tsx";
import { TextField } from "../../../ui/field.tsx";
import { FocusedNotice, Refusal } from "../refusal.tsx";
import type { RefusedCorrection } from "./address-sentences.ts";

export interface AddressFormProps {
	/**
	 * The addresses of the order. `recipient`: null where a second one cannot be given. `meant`: what was probably meant by an address whose
	 * domain looks mistyped. `delivered`: only a second address can be given any more, while it is `resendable`. `several`: they are those of
	 * several orders. `resent`: when the extracts were last sent to the second address, whether it is the customer's own, and how often they
	 * still can be.
	 */
	addresses: {
		email: string;
		recipient: string | null;
		meant: { email: string | null; recipient: string | null };
		delivered: boolean;
		resendable: boolean;
		several: boolean;
		resent: { at: string; left: number; own: boolean } | null;
	};
	refused: RefusedCorrection | null;
}

/** « Mauvaise adresse ? Corriger », while nothing is delivered (`intent=correct-addresses`). */
export function AddressForm({ addresses, refused }: AddressFormProps) {
	const typed = refused ?? addresses;
	const error = (field: RefusedCorrection["field"]) => (refused?.field === field ? refused.correction : undefined);
	const { email, recipient, meant } = addresses;
	if (addresses.delivered) {
		const { resent, resendable, several } = addresses;
		const other = resent ? meant.recipient : meant.email;
		// an address that was meant is the customer's own as the mistyped one was
		const own = resent === null || resent.own;
		return (
			<>
				{resent && (
					<p className="mt-4">
						{several ? "Extraits renvoyés" : "Extrait renvoyé"} à <span className="break-all">{recipient}</span> le{" "}
						{formatInstant(new Date(resent.at))}.
						{resent.left === 0 && (
							<>
								{" "}
								Pour un autre envoi,{" "}
								<a className="link" href={href("/contact")}>
									écrivez-nous
								</a>
								.
							</>
						)}
					</p>
				)}
				{resendable && refused === null && other && (
					<Question meant={other} fields={{ email, recipient: other, ...(own && { own: "oui" }) }} verb="Renvoyer" />
				)}
				{resendable && <ResendForm addresses={addresses} refused={refused} error={error("recipient")} />}
			</>
		);
	}
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
	fields: { email: string; recipient: string; own?: string };
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

/**
 * « Renvoyer à une autre adresse », once the extracts were sent: their e-mails may have gone astray. The order keeps its address. The button
 * says whose the new one is; once it was the customer's own, it stays so.
 */
function ResendForm({
	addresses: { email, recipient, several, resent },
	refused,
	error,
}: {
	addresses: AddressFormProps["addresses"];
	refused: RefusedCorrection | null;
	error?: string | undefined;
}) {
	const extracts = several ? "les extraits" : "l’extrait";
	return (
		<Disclosure title="Renvoyer à une autre adresse e-mail" open={refused !== null} className="mt-4 border-y print:hidden">
			<Form method="post" reloadDocument className="grid gap-5 pb-5" noValidate>
				<input type="hidden" name="intent" value="correct-addresses" />
				<input type="hidden" name="email" value={email} />
				<TextField
					name="recipient"
					type="email"
					label="Autre adresse e-mail"
					hint={`Nous y envoyons ${several ? "tous les extraits encore téléchargeables de votre commande groupée" : "l’extrait"}. Si c’est la vôtre, les prochains e-mails de cette commande iront à cette adresse. L’adresse de la commande, qui ouvre son suivi, ne change pas.`}
					autoComplete="off"
					defaultValue={(refused ?? { recipient }).recipient ?? ""}
					error={error}
				/>
				<div className="flex flex-wrap items-center gap-x-6 gap-y-2">
					<button type="submit" name="own" value="oui" className={button("secondary")}>
						Me renvoyer {extracts}
					</button>
					{!resent?.own && (
						<button type="submit" className={button("quiet")}>
							Envoyer {extracts} à une autre personne
						</button>
					)}
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
