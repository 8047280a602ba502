import { href } from "react-router";
import { DemoNotice, Words } from "../content/text-page.tsx";
import { EmailForm, type RefusedEmail } from "../newsletter/email-form.tsx";
import { HomeBreadcrumb } from "../ui/breadcrumb.tsx";
import { Tag } from "../ui/card.tsx";
import { Icon } from "../ui/icon.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page, Section, Title } from "../ui/page.tsx";
import type { subscriptionTexts } from "./subscription-texts.ts";

interface Shown {
	text: typeof subscriptionTexts;
	offer: { name: string; availability: string; delivery: string; features: readonly string[] };
	/** The address was just taken. */
	noted: boolean;
	/** What was typed, and why it was not taken. */
	refused: RefusedEmail | undefined;
}

export function SubscriptionPage({ text, offer, noted, refused }: Shown) {
	return (
		<Page>
			<Title
				above={
					<>
						<HomeBreadcrumb label={offer.name} />
						<Tag strong>{offer.availability}</Tag>
					</>
				}
				lead={text.lead}
			>
				{offer.name}
			</Title>
			{noted && <Thanks text={text} />}
			<DemoNotice />
			<div className="mb-10 grid gap-4">
				{text.notYet.map((paragraph) => (
					<p key={paragraph}>{paragraph}</p>
				))}
			</div>
			<Section title={text.featuresHeading}>
				<ul className="grid gap-2">
					{[offer.delivery, ...offer.features].map((feature) => (
						<li key={feature} className="flex gap-3">
							<Icon name="check" className="mt-1 size-5 text-soft" />
							{feature}
						</li>
					))}
				</ul>
			</Section>
			{!noted && <EmailForm text={text} action={href("/abonnement")} refused={refused} />}
		</Page>
	);
}

function Thanks({ text }: Pick<Shown, "text">) {
	return (
		<Notice kind="done" title={text.thanksHeading} live className="mb-8">
			<p>{text.thanks}</p>
			<p className="mt-2">
				<Words text={text.meanwhile} />
			</p>
		</Notice>
	);
}
