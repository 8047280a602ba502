import type { ReactNode } from "react";
import type { ShopIdentity } from "../../server/environment/shop-identity.ts";
import { DemoNotice, Words } from "../content/text-page.tsx";
import { HelpBreadcrumb } from "../ui/breadcrumb.tsx";
import { button } from "../ui/button.tsx";
import { DescriptionList } from "../ui/description-list.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { TextAreaField, TextField } from "../ui/field.tsx";
import { HoneypotField } from "../ui/honeypot-field.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page, Section, Title } from "../ui/page.tsx";
import type { reachWords } from "./contact-texts.ts";

/** A message that was not taken: what was typed, by the fields' names, and what is wrong with it. */
export interface Refused<Field extends string> {
	typed: Record<Field, string>;
	errors: Partial<Record<Field, string>>;
	/** Why, where no field is to blame. */
	sentence: string | null;
}

/** What a page with a form is filled with. */
export interface MessageShown<Text, Field extends string> {
	text: Text;
	shop: Pick<ShopIdentity, "phone" | "email" | "supportHours">;
	/** The message was just taken. */
	sent: boolean;
	refused: Refused<Field> | undefined;
}

/** What was typed in a field, and what is wrong with it. */
export function fieldOf<Field extends string>(refused: Refused<Field> | undefined, name: Field) {
	return { name, error: refused?.errors[name], defaultValue: refused?.typed[name] };
}

interface MessagePageProps extends MessageShown<typeof reachWords & { title: string; lead: string }, "email" | "message"> {
	/** Where the form goes. */
	action: string;
	/** The form's fields before and after the address, which every form asks. */
	fieldsBefore: ReactNode;
	fieldsAfter?: ReactNode;
	/** Names of fields whose sentences do not say which field they are about. */
	labels?: Readonly<Record<string, string>>;
	/** Below the ways to reach the shop. */
	reach?: ReactNode;
	/** Between them and the form. */
	children?: ReactNode;
	/** Whoever comes to say one thing finds the form before the ways to reach the shop. */
	formFirst?: boolean;
}

/** How to reach the shop, and a form. An answer that refuses starts with the form. */
export function MessagePage({ text, shop, sent, reach, children, formFirst = false, ...form }: MessagePageProps) {
	const formAbove = !sent && (formFirst || form.refused !== undefined);
	return (
		<Page>
			<Title above={<HelpBreadcrumb label={text.title} />} lead={text.lead}>
				{text.title}
			</Title>
			{sent && (
				<Notice kind="done" title={text.thanksHeading} live className="mb-8">
					<p>{text.thanks}</p>
				</Notice>
			)}
			<DemoNotice />
			{formAbove && <MessageForm text={text} {...form} />}
			<Section title={text.reachHeading}>
				<DescriptionList
					rows={[
						[text.phone, <ReachLink key="phone" to={`tel:${shop.phone.replace(/\s/g, "")}`} words={shop.phone} />],
						[text.hours, shop.supportHours],
						[text.email, <ReachLink key="email" to={`mailto:${shop.email}`} words={shop.email} />],
					]}
				/>
				<p className="mt-5">
					<Words text={text.tracking} />
				</p>
				{!sent && reach}
			</Section>
			{children}
			{!formAbove && !sent && <MessageForm text={text} {...form} />}
		</Page>
	);
}

function ReachLink({ to, words }: { to: string; words: string }) {
	return (
		<a href={to} className="link -my-2.5 inline-flex min-h-11 items-center">
			{words}
		</a>
	);
}

type MessageFormProps = Pick<MessagePageProps, "text" | "refused" | "action" | "fieldsBefore" | "fieldsAfter" | "labels">;

function MessageForm({ text, refused, action, fieldsBefore, fieldsAfter, labels }: MessageFormProps) {
	const names: Readonly<Record<string, string>> = { message: text.messageField, ...labels };
	const wrong = Object.entries(refused?.errors ?? {}).map(([field, sentence]) => ({
		field,
		message: names[field] ? `${names[field]}\u00a0: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}` : sentence,
	}));
	return (
		<Section id="ecrire" title={text.formHeading}>
			<ErrorSummary errors={wrong} />
			{refused?.sentence && <Notice kind="failed" title={refused.sentence} live className="mb-8" />}
			<form method="post" action={action} noValidate className="grid gap-5 print:hidden">
				{fieldsBefore}
				<TextField
					{...fieldOf(refused, "email")}
					type="email"
					autoComplete="email"
					required
					label={text.emailField}
					hint={text.emailHint}
				/>
				{fieldsAfter}
				<TextAreaField {...fieldOf(refused, "message")} required label={text.messageField} hint={text.messageHint} />
				<HoneypotField />
				<p className="text-sm text-soft">
					<Words text={text.use} />
				</p>
				<div>
					<button type="submit" className={button()}>
						{text.button}
					</button>
				</div>
			</form>
		</Section>
	);
}
