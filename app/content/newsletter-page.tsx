import { HomeBreadcrumb } from "../ui/breadcrumb.tsx";
import { button } from "../ui/button.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { TextField } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page, Section, Title } from "../ui/page.tsx";
import { TrapField } from "../ui/trap-field.tsx";
import type { newsletterPage } from "./newsletter.ts";
import { DemoNotice, Words } from "./text-page.tsx";

interface Shown {
	text: typeof newsletterPage;
	/** An address was just taken. */
	asked: boolean;
	/** What was typed, and why it was not taken. */
	refused: { email: string; sentence: string; limited: boolean } | undefined;
}

export function NewsletterPage({ text, asked, refused }: Shown) {
	return (
		<Page>
			<Title above={<HomeBreadcrumb label={text.title} />} lead={text.lead}>
				{text.title}
			</Title>
			{asked && (
				<Notice kind="done" title={text.askedHeading} live className="mb-8">
					<p>{text.asked}</p>
				</Notice>
			)}
			<DemoNotice />
			{/* an answer that refuses starts with the form */}
			{refused && <RequestForm text={text} refused={refused} />}
			<Section title={text.contentHeading}>
				<ul className="grid list-disc gap-2 pl-5 marker:text-soft">
					{text.content.map((item) => (
						<li key={item}>{item}</li>
					))}
				</ul>
				<p className="mt-4">{text.never}</p>
			</Section>
			{!asked && !refused && <RequestForm text={text} refused={refused} />}
		</Page>
	);
}

function RequestForm({ text, refused }: Pick<Shown, "text" | "refused">) {
	const wrong = refused?.limited === false ? refused.sentence : undefined;
	return (
		<Section title={text.formHeading}>
			{wrong && <ErrorSummary errors={[{ field: "email", message: wrong }]} />}
			{refused?.limited && <Notice kind="failed" title={refused.sentence} live className="mb-8" />}
			<form method="post" action="/lettre-information" noValidate className="grid gap-5 print:hidden">
				<TextField
					name="email"
					type="email"
					autoComplete="email"
					required
					label={text.field}
					hint={text.hint}
					error={wrong}
					defaultValue={refused?.email}
				/>
				<TrapField />
				<p className="text-sm text-soft">
					<Words text={text.consent} />
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

/** Where a link of a mail leads: one thing to do, by a button alone since mail scanners open links too, or how it stands and what next. */
interface Step {
	title: string;
	lead: string;
	/** Sends the page's own address. */
	button?: string;
	/** Leads on to `path`. */
	link?: string;
	path: string;
}

export function NewsletterStepPage({ title, lead, button: words, link, path }: Step) {
	return (
		<Page width="form">
			<Title lead={lead}>{title}</Title>
			{words && (
				<form method="post">
					<button type="submit" className={button("primary")}>
						{words}
					</button>
				</form>
			)}
			{link && (
				<a className={button("primary")} href={path}>
					{link}
				</a>
			)}
		</Page>
	);
}
