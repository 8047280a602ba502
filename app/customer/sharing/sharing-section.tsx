import { Form } from "react-router";
import { formatHour, formatInstant, formatLongDay } from "../../catalogue/instants.ts";
import { button } from "../../ui/button.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { TextAreaField, TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/page.tsx";
import { pageParts } from "../tracking/page-parts.ts";
import { CopyButton } from "./copy-button.tsx";
import type { DescribedShare, DescribedSharing, ShareAct } from "./describe-sharing.server.ts";
import { formatSenderWords } from "./format-sender-words.ts";
import type { RefusedShare } from "./share-form-errors.ts";
import { codeLength, maxLabelLength, shareDays } from "./share-rules.ts";

interface SharingSectionProps {
	/** Null where the reader may not share, or there is nothing to share. */
	sharing: DescribedSharing | null;
	/** The last form, when it was refused. */
	refused: RefusedShare | null;
}

const doneSentences: Record<ShareAct, string> = {
	cree: "Le lien est créé. Vous pouvez le copier.",
	retire: "Le lien est retiré\u00a0: il n’ouvre plus l’extrait.",
};

/** The links by which a customer shows their extract to others, on the page of its order. */
export function SharingSection({ sharing, refused }: SharingSectionProps) {
	if (sharing === null) return null;
	const active = sharing.shares.filter(({ state }) => state === "active");
	const ended = sharing.shares.filter(({ state }) => state !== "active");
	return (
		<Section id={pageParts.sharing} title="Partager l’extrait" className="print:hidden">
			<p className="mb-4 text-soft">
				Transmettez l’extrait par un lien, par exemple à votre banque ou à votre avocat. Ce lien ouvre cet extrait et rien d’autre&nbsp;: ni
				votre e-mail, ni votre commande, ni votre nom si vous ne l’indiquez pas. Vous pouvez le retirer à tout moment.
			</p>
			{sharing.done && refused === null && <Notice kind="done" title={doneSentences[sharing.done]} live className="mb-4" />}
			{active.length > 0 && (
				<>
					{sharing.frozen && (
						<p className="mb-4">
							Le paiement de cette commande est contesté{"\u00a0"}: pour le moment, ces liens n’ouvrent plus l’extrait.
						</p>
					)}
					<ul className="divide-y divide-line border-t border-line">
						{active.map((share, index) => (
							<li key={share.id} className="py-5">
								<ActiveShare share={share} isNew={index === 0 && sharing.done === "cree"} />
							</li>
						))}
					</ul>
					<p className="mb-4 text-sm text-soft">
						Nous comptons les ouvertures et, séparément, les téléchargements. Les robots qui visitent les liens des e-mails ne sont pas
						comptés.
					</p>
				</>
			)}
			{sharing.deletedAt && <ShareForm key={active[0]?.id} deletedAt={sharing.deletedAt} refused={refused} />}
			{ended.length > 0 && (
				<Disclosure title={`Liens terminés (${ended.length})`} className="border-b">
					<ul className="divide-y divide-line pb-4">
						{ended.map((share) => (
							<li key={share.id} className="py-3">
								<p className="break-words font-semibold">{share.label ?? "Lien sans nom"}</p>
								<p className="text-sm text-soft">
									Créé le {formatInstant(new Date(share.createdAt))}, {formatEnd(share)}.
								</p>
								<Openings share={share} />
							</li>
						))}
					</ul>
				</Disclosure>
			)}
		</Section>
	);
}

function ActiveShare({ share, isNew }: { share: DescribedShare; isNew: boolean }) {
	const { id, label, url, message, withCode, createdAt, expiresAt } = share;
	const words = formatSenderWords(share);
	return (
		<>
			<h3 className="mb-2 text-lg break-words">{label ?? "Lien sans nom"}</h3>
			<TextField name="link" id={`link-${id}`} label="Lien à transmettre" readOnly defaultValue={url ?? ""} autoComplete="off" />
			<CopyButton value={url ?? ""} label="le lien" />
			<Disclosure title="Message prêt à envoyer" open={isNew} className="mt-2">
				<TextAreaField
					name="message"
					id={`message-${id}`}
					label="Texte à coller dans votre e-mail"
					readOnly
					rows={14}
					defaultValue={message ?? ""}
					autoComplete="off"
				/>
				<CopyButton value={message ?? ""} label="le message" />
			</Disclosure>
			{words && <p className="mt-2 text-sm break-words text-soft">{`La personne lit\u00a0: ${words}.`}</p>}
			<p className="mt-2 text-sm text-soft">
				Créé le {formatInstant(new Date(createdAt))}, valable jusqu’au {formatInstant(new Date(expiresAt))},{" "}
				{withCode ? "avec code" : "sans code"}.
			</p>
			<Openings share={share} />
			<Form method="post" className="mt-4" preventScrollReset>
				<input type="hidden" name="share" value={id} />
				<button type="submit" name="intent" value="revoke-share" className={button("secondary")}>
					Retirer ce lien<span className="sr-only"> ({label ?? "sans nom"})</span>
				</button>
			</Form>
		</>
	);
}

/** « Ouvert 2 fois, téléchargé 1 fois », with the days. */
function Openings({ share: { openings, downloads } }: { share: DescribedShare }) {
	if (openings.count === 0) return <p className="text-sm">Jamais ouvert.</p>;
	return (
		<>
			<p className="text-sm">
				Ouvert {openings.count}
				{"\u00a0"}fois, téléchargé {downloads.count}
				{"\u00a0"}fois.
			</p>
			<ul className="text-sm text-soft">
				{formatDays(openings, "Ouvert")}
				{formatDays(downloads, "Téléchargé")}
			</ul>
		</>
	);
}

const formatDays = ({ days }: DescribedShare["openings"], what: string) =>
	days.map(({ firstAt, lastAt, count }) => (
		<li key={what + firstAt}>
			{what} le {formatInstant(new Date(firstAt))}
			{count > 1 && `, ${count}\u00a0fois ce jour-là, la dernière à ${formatHour(new Date(lastAt))}`}
		</li>
	));

function formatEnd({ state, revokedAt, expiresAt }: DescribedShare): string {
	if (state === "blocked") return "bloqué après trop de codes erronés";
	return revokedAt ? `retiré le ${formatInstant(new Date(revokedAt))}` : `expiré le ${formatInstant(new Date(expiresAt))}`;
}

function ShareForm({ deletedAt, refused }: { deletedAt: string; refused: RefusedShare | null }) {
	const error = (name: string) => refused?.shareErrors.find(({ field }) => field === name)?.message;
	return (
		<Disclosure title="Créer un lien" open={refused !== null} className="border-y">
			<Form method="post" reloadDocument className="grid gap-5 pb-5" noValidate>
				<TextField
					name="sender"
					label="Votre nom, tel que le destinataire le verra"
					optional
					autoComplete="off"
					maxLength={maxLabelLength}
					defaultValue={refused?.typed.sender}
					error={error("sender")}
				/>
				<TextField
					name="purpose"
					label="Objet"
					hint={"Le destinataire le verra aussi, par exemple «\u00a0Ouverture de compte\u00a0»."}
					optional
					autoComplete="off"
					maxLength={maxLabelLength}
					defaultValue={refused?.typed.purpose}
					error={error("purpose")}
				/>
				<TextField
					name="label"
					label="Pour qui"
					hint={"Pour vous y retrouver, par exemple «\u00a0Banque Martin\u00a0». Le destinataire ne le voit pas."}
					optional
					autoComplete="off"
					maxLength={maxLabelLength}
					defaultValue={refused?.typed.label}
					error={error("label")}
				/>
				<TextField
					name="days"
					label="Durée en jours"
					hint={`De ${shareDays.min} à ${shareDays.max}\u00a0jours, et au plus jusqu’au ${formatLongDay(new Date(deletedAt))}, quand nous supprimons l’extrait.`}
					inputMode="numeric"
					autoComplete="off"
					maxLength={3}
					defaultValue={refused?.typed.days ?? shareDays.default}
					error={error("days")}
				/>
				<TextField
					name="code"
					label="Code d’accès"
					hint={`Au moins ${codeLength.min}\u00a0caractères. Notez-le, car nous ne pourrons pas vous le redire, et donnez-le autrement que le lien, par exemple par téléphone.`}
					optional
					autoComplete="off"
					autoCapitalize="none"
					spellCheck={false}
					maxLength={codeLength.max}
					defaultValue={refused?.typed.code}
					error={error("code")}
				/>
				<div>
					<button type="submit" name="intent" value="share" className={button("secondary")}>
						Créer le lien
					</button>
				</div>
			</Form>
		</Disclosure>
	);
}
