import type { ReactNode } from "react";
import { href } from "react-router";
import type { ShopIdentity } from "../../../server/environment/shop-identity.ts";
import { InlineContent } from "../../content/content-blocks.tsx";
import { DemoNotice } from "../../content/content-page.tsx";
import { getParagraph, getSection, type Text } from "../../content/text.ts";
import { Breadcrumb, HelpBreadcrumb } from "../../ui/breadcrumb.tsx";
import { button } from "../../ui/button.tsx";
import { DescriptionList } from "../../ui/description-list.tsx";
import { LetterDrawing } from "../../ui/drawings/drawings.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { HoneypotField, TextAreaField, TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page, Section, Title } from "../../ui/page.tsx";

/** A refused message: the typed values and the errors, by field. */
export interface RefusedMessage<Field extends string> {
	typed: Record<Field, string>;
	errors: Partial<Record<Field, string>>;
	/** The reason for the refusal, when every field is valid. */
	sentence: string | null;
}

/** The data of a page with a message form. */
export interface MessagePageData<Field extends string> {
	text: Text;
	/** The text of /contact: every page with a message form repeats three of its sections. */
	contactText: Text;
	shop: Pick<ShopIdentity, "phone" | "email" | "supportHours">;
	/** The message was just received. */
	sent: boolean;
	refused: RefusedMessage<Field> | undefined;
	/** What the shop knows of its reader. */
	known?: Record<Field, string> | undefined;
}

/** The typed or known value of a field and its error. */
export function getFieldProps<Field extends string>({ refused, known }: Pick<MessagePageData<Field>, "refused" | "known">, name: Field) {
	return { name, error: refused?.errors[name], defaultValue: (refused?.typed ?? known)?.[name] };
}

interface MessagePageProps extends MessagePageData<"email" | "message"> {
	/** The URL that receives the form. */
	action: string;
	/** Fields before and after the e-mail address, which every form has. */
	fieldsBefore: ReactNode;
	fieldsAfter?: ReactNode;
	/** Shown below the contact details. */
	reach?: ReactNode;
	/** Shown between the contact details and the form. */
	children?: ReactNode;
	/** The number of the order that the message is about, whose page leads here. */
	order?: string | null;
	/** Shows the form above the contact details, for a visitor who came with one subject. */
	formFirst?: boolean;
}

/** The contact details of the shop, and a form. A refused form comes first. */
export function MessagePage({ text, contactText, shop, sent, reach, children, formFirst = false, ...form }: MessagePageProps) {
	const formAbove = !sent && (formFirst || form.refused !== undefined);
	const [thanks, reaching] = [getSection(contactText, "envoye"), getSection(contactText, "joindre")];
	return (
		<Page
			header={
				<Title
					above={<MessagePlace label={text.title} order={form.order} />}
					lead={text.lead && <InlineContent text={text.lead} />}
					drawing={LetterDrawing}
				>
					{text.title}
				</Title>
			}
			aside={<WithoutMessage />}
		>
			{sent && (
				<Notice kind="done" title={thanks.heading} live className="mb-8">
					<p>
						<InlineContent text={getParagraph(thanks)} />
					</p>
				</Notice>
			)}
			<DemoNotice />
			{formAbove && <MessageForm contactText={contactText} hasSubject={formFirst} {...form} />}
			<Section title={reaching.heading}>
				<DescriptionList
					rows={[
						["Téléphone", <ReachLink key="phone" to={`tel:${shop.phone.replace(/\s/g, "")}`} label={shop.phone} />],
						// as the settings have them (docs/rules.md, R52)
						["Support téléphonique", shop.supportHours],
						["E-mail", <ReachLink key="email" to={`mailto:${shop.email}`} label={shop.email} />],
					]}
				/>
				<p className="mt-5">
					<InlineContent text={getParagraph(reaching)} />
				</p>
				{!sent && reach}
			</Section>
			{children}
			{!formAbove && !sent && <MessageForm contactText={contactText} hasSubject={formFirst} {...form} />}
		</Page>
	);
}

/** What customers do by themselves, and often write for. */
function WithoutMessage() {
	return (
		<section aria-labelledby="sans-message">
			<h2 id="sans-message" className="text-lg">
				À faire vous-même, tout de suite
			</h2>
			<ul className="mt-2">
				{(
					[
						[href("/suivi-commande"), "Corriger une facture ou une adresse"],
						[href("/mes-commandes"), "Retrouver vos commandes et factures"],
						[href("/retractation"), "Annuler ou se rétracter"],
						[href("/verifier"), "Vérifier un extrait reçu"],
					] as const
				).map(([url, label]) => (
					<li key={url}>
						<a href={url} className="link inline-flex min-h-11 items-center">
							{label}
						</a>
					</li>
				))}
			</ul>
		</section>
	);
}

/** The way back to the order, or the help centre. */
function MessagePlace({ label, order }: { label: string } & Pick<MessagePageProps, "order">) {
	if (!order) return <HelpBreadcrumb label={label} />;
	return <Breadcrumb places={[{ label: `Commande ${order}`, href: href("/suivi/:number", { number: order }) }, { label }]} />;
}

function ReachLink({ to, label }: { to: string; label: string }) {
	return (
		<a href={to} className="link -my-2 inline-flex min-h-11 items-center">
			{label}
		</a>
	);
}

/** Labels for sentences of the summary that begin with « Ce champ ». */
const fieldLabels: Readonly<Record<string, string>> = {
	nom: "Nom",
	firstName: "Prénom",
	lastName: "Nom",
	email: "E-mail",
	phone: "Téléphone",
	subject: "Sujet",
	message: "Message",
};

interface MessageFormProps extends Pick<MessagePageProps, "contactText" | "refused" | "known" | "action" | "fieldsBefore" | "fieldsAfter"> {
	/** The form knows what the message is about: it asks for no number. */
	hasSubject: boolean;
}

function MessageForm({ contactText, action, hasSubject, fieldsBefore, fieldsAfter, ...fields }: MessageFormProps) {
	const { refused } = fields;
	const writing = getSection(contactText, "ecrire");
	const errors = Object.entries(refused?.errors ?? {}).map(([field, sentence]) => ({
		field,
		message: sentence.replace(/^Ce champ/, `${fieldLabels[field]}\u00a0: ce champ`),
	}));
	return (
		<Section id="ecrire" title={writing.heading}>
			<ErrorSummary errors={errors} />
			{refused?.sentence && <Notice kind="failed" title={refused.sentence} live className="mb-8" />}
			<form method="post" action={action} noValidate className="grid gap-5 print:hidden">
				{fieldsBefore}
				<TextField
					{...getFieldProps(fields, "email")}
					type="email"
					autoComplete="email"
					required
					label="E-mail"
					hint={"Par exemple\u00a0: prenom.nom@exemple.fr"}
				/>
				{fieldsAfter}
				<TextAreaField
					{...getFieldProps(fields, "message")}
					required
					label="Message"
					hint={`${hasSubject ? "" : "Au sujet d’une commande, indiquez son numéro (KB-…). "}N’écrivez jamais un numéro de carte.`}
				/>
				<HoneypotField />
				<p className="text-sm text-soft">
					<InlineContent text={getParagraph(writing)} />
				</p>
				<div>
					<button type="submit" className={button()}>
						Envoyer le message
					</button>
				</div>
			</form>
		</Section>
	);
}
