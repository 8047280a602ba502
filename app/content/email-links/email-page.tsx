import { HomeBreadcrumb } from "../../ui/breadcrumb.tsx";
import { LetterDrawing } from "../../ui/drawings/drawings.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page, Section, Title } from "../../ui/page.tsx";
import { Blocks, InlineContent } from "../content-blocks.tsx";
import { DemoNotice } from "../content-page.tsx";
import { SupportContact } from "../support-contact.tsx";
import { getParagraph, getSection, type Text } from "../text.ts";
import { EmailForm, type RefusedEmail } from "./email-form.tsx";

interface EmailPageProps {
	text: Text;
	/** Anchors of sections of the text: what the page says, its form, and the thanks of a request. */
	anchors: { content: readonly string[]; form: string; thanks: string };
	/** The label of the form's button. */
	submit: string;
	/** The URL that receives the form. */
	action: string;
	/** A request was just received. */
	requested: boolean;
	/** Many visitors know the page: its form comes before what it says. */
	startsWithForm?: boolean;
	refused: RefusedEmail | undefined;
}

/** A text and a form that asks for an e-mail with a link. */
export function EmailPage({ text, anchors, submit, action, requested, startsWithForm = false, refused }: EmailPageProps) {
	const thanks = getSection(text, anchors.thanks);
	const comesFirst = refused !== undefined || (startsWithForm && !requested);
	const form = <EmailForm section={getSection(text, anchors.form)} submit={submit} action={action} refused={refused} />;
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
			{/* so does a refused form */}
			{comesFirst && form}
			{anchors.content.map((anchor) => {
				const section = getSection(text, anchor);
				return (
					<Section key={anchor} title={section.heading}>
						<Blocks blocks={section.content} />
					</Section>
				);
			})}
			{!requested && !comesFirst && form}
		</Page>
	);
}
