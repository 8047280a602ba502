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

interface NewsletterPageProps {
	text: Text;
	/** A request was just received. */
	requested: boolean;
	/** The refused address and the reason. */
	refused: RefusedEmail | undefined;
}

export function NewsletterPage({ text, requested, refused }: NewsletterPageProps) {
	const [content, thanks] = [getSection(text, "contenu"), getSection(text, "demande")];
	const form = (
		<EmailForm section={getSection(text, "inscription")} submit="S’inscrire" action={href("/lettre-information")} refused={refused} />
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
			<Section title={content.heading}>
				<Blocks blocks={content.content} />
			</Section>
			{!requested && !refused && form}
		</Page>
	);
}
