import { href } from "react-router";
import { Blocks, InlineContent } from "../content/content-blocks.tsx";
import { DemoNotice } from "../content/content-page.tsx";
import { EmailForm, type RefusedEmail } from "../content/email-links/email-form.tsx";
import { SupportContact } from "../content/support-contact.tsx";
import { getParagraph, getSection, type Text } from "../content/text.ts";
import { HomeBreadcrumb } from "../ui/breadcrumb.tsx";
import { LetterDrawing } from "../ui/drawings/letter-drawing.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page, Section, Title } from "../ui/page.tsx";

interface AlertsPageProps {
	text: Text;
	/** The link was just asked for. */
	requested: boolean;
	/** The refused address and the reason. */
	refused: RefusedEmail | undefined;
}

/** What alerts are, and the form for a lost link to them. */
export function AlertsPage({ text, requested, refused }: AlertsPageProps) {
	const thanks = getSection(text, "lien-demande");
	const form = (
		<EmailForm section={getSection(text, "lien")} submit="Recevoir le lien de mes alertes" action={href("/alertes")} refused={refused} />
	);
	return (
		<Page
			header={
				<Title above={<HomeBreadcrumb label={text.title} />} lead={text.lead && <InlineContent text={text.lead} />} drawing={LetterDrawing}>
					{text.title}
				</Title>
			}
			aside={<SupportContact />}
		>
			{requested && (
				<Notice kind="done" title={thanks.heading} live className="mb-8">
					<p>
						<InlineContent text={getParagraph(thanks)} />
					</p>
				</Notice>
			)}
			<DemoNotice />
			{/* a refused form comes first */}
			{refused && form}
			{["contenu", "suivre"].map((anchor) => {
				const section = getSection(text, anchor);
				return (
					<Section key={anchor} title={section.heading}>
						<Blocks blocks={section.content} className="gap-4" />
					</Section>
				);
			})}
			{!requested && !refused && form}
		</Page>
	);
}
