import type { ShopIdentity } from "../../server/environment.ts";
import { button } from "../ui/button.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { Facts } from "../ui/facts.tsx";
import { TextAreaField, TextField } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page, Section, Title } from "../ui/page.tsx";
import { TrapField } from "../ui/trap-field.tsx";
import type { contactPage } from "./contact.ts";
import { DemoNotice, Words } from "./text-page.tsx";

/** The form's fields, by their names: what was typed, or what is wrong with it. */
interface Fields {
	nom: string;
	email: string;
	message: string;
}

interface Shown {
	text: typeof contactPage;
	shop: Pick<ShopIdentity, "phone" | "email" | "supportHours">;
	/** The message was just taken. */
	sent: boolean;
	/** What was typed, and why it was not taken. */
	refused: { typed: Fields; errors: Partial<Fields>; sentence: string | null } | undefined;
}

export function ContactPage({ text, shop, sent, refused }: Shown) {
	return (
		<Page>
			<Title lead={text.lead}>{text.title}</Title>
			{sent && (
				<Notice kind="done" title={text.thanksHeading} live className="mb-8">
					<p>{text.thanks}</p>
				</Notice>
			)}
			<DemoNotice />
			{/* an answer that refuses starts with the form */}
			{refused && <MessageForm text={text} refused={refused} />}
			<Section title={text.reachHeading}>
				<Facts
					rows={[
						[text.phone, <ReachLink key="phone" to={`tel:${shop.phone.replace(/\s/g, "")}`} words={shop.phone} />],
						[text.email, <ReachLink key="email" to={`mailto:${shop.email}`} words={shop.email} />],
						[text.hours, shop.supportHours],
					]}
				/>
				<p className="mt-5">
					<Words text={text.tracking} />
				</p>
			</Section>
			{!refused && !sent && <MessageForm text={text} refused={refused} />}
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

function MessageForm({ text, refused }: Pick<Shown, "text" | "refused">) {
	const { typed, errors = {}, sentence } = refused ?? {};
	const wrong = (["nom", "email", "message"] as const).flatMap((field) => {
		const message = errors[field];
		return message === undefined ? [] : [{ field, message }];
	});
	return (
		<Section title={text.formHeading}>
			<ErrorSummary errors={wrong} />
			{sentence && <Notice kind="failed" title={sentence} live className="mb-8" />}
			<form method="post" action="/contact" noValidate className="grid gap-5 print:hidden">
				<TextField name="nom" label={text.nameField} autoComplete="name" required error={errors.nom} defaultValue={typed?.nom} />
				<TextField
					name="email"
					type="email"
					autoComplete="email"
					required
					label={text.emailField}
					hint={text.emailHint}
					error={errors.email}
					defaultValue={typed?.email}
				/>
				<TextAreaField
					name="message"
					required
					label={text.messageField}
					hint={text.messageHint}
					error={errors.message}
					defaultValue={typed?.message}
				/>
				<TrapField />
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
