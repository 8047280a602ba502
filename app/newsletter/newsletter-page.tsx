import { href } from "react-router";
import { DemoNotice } from "../content/text-page.tsx";
import { HomeBreadcrumb } from "../ui/breadcrumb.tsx";
import { button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page, Section, Title } from "../ui/page.tsx";
import { EmailForm, type RefusedEmail } from "./email-form.tsx";
import type { newsletterTexts } from "./newsletter-texts.ts";

interface Shown {
	text: typeof newsletterTexts;
	/** An address was just taken. */
	asked: boolean;
	/** What was typed, and why it was not taken. */
	refused: RefusedEmail | undefined;
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
			{refused && <EmailForm text={text} action={href("/lettre-information")} refused={refused} />}
			<Section title={text.contentHeading}>
				<ul className="grid list-disc gap-2 pl-5 marker:text-soft">
					{text.content.map((item) => (
						<li key={item}>{item}</li>
					))}
				</ul>
				<p className="mt-4">{text.never}</p>
			</Section>
			{!asked && !refused && <EmailForm text={text} action={href("/lettre-information")} refused={refused} />}
		</Page>
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
