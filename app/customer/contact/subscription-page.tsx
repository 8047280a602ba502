import { href } from "react-router";
import { Blocks, InlineContent } from "../../content/content-blocks.tsx";
import { DemoNotice } from "../../content/content-page.tsx";
import { EmailForm, type RefusedEmail } from "../../content/email-links/email-form.tsx";
import { SupportContact } from "../../content/support-contact.tsx";
import { getSection, type Text } from "../../content/text.ts";
import { HomeBreadcrumb } from "../../ui/breadcrumb.tsx";
import { Tag } from "../../ui/card.tsx";
import { LetterDrawing } from "../../ui/drawings/drawings.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page, Section, Title } from "../../ui/page.tsx";

interface SubscriptionPageProps {
	text: Text;
	offer: { name: string; availability: string; delivery: string; features: readonly string[] };
	/** The e-mail address was just recorded. */
	recorded: boolean;
	/** The refused address and the reason. */
	refused: RefusedEmail | undefined;
}

export function SubscriptionPage({ text, offer, recorded, refused }: SubscriptionPageProps) {
	const [thanks, possible] = [getSection(text, "inscrit"), getSection(text, "deja")];
	return (
		<Page
			header={
				<Title
					above={
						<>
							<HomeBreadcrumb label={offer.name} />
							<Tag look="accent">{offer.availability}</Tag>
						</>
					}
					lead={text.lead && <InlineContent text={text.lead} />}
					drawing={LetterDrawing}
				>
					{text.heading}
				</Title>
			}
			aside={<SupportContact />}
		>
			{recorded && (
				<Notice kind="done" title={thanks.heading} live className="mb-8">
					<Blocks blocks={thanks.content} className="gap-2" />
				</Notice>
			)}
			<DemoNotice />
			<Blocks blocks={text.introduction} className="mb-10 gap-4" />
			<Section title={possible.heading}>
				<Blocks blocks={possible.content} />
			</Section>
			<Section title={getSection(text, "contenu").heading}>
				<ul className="grid gap-2">
					{[offer.delivery, ...offer.features].map((feature) => (
						<li key={feature} className="flex gap-3">
							<Icon name="check" className="mt-1 size-5 text-soft" />
							{feature}
						</li>
					))}
				</ul>
			</Section>
			{!recorded && (
				<EmailForm section={getSection(text, "inscription")} submit="Me prévenir" action={href("/abonnement")} refused={refused} />
			)}
		</Page>
	);
}
