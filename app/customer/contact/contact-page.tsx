import { href } from "react-router";
import { InlineContent } from "../../content/content-blocks.tsx";
import { getParagraph, getSection } from "../../content/text.ts";
import { DescriptionList } from "../../ui/description-list.tsx";
import { TextField } from "../../ui/field.tsx";
import { Siren } from "../../ui/siren.tsx";
import { getFieldProps, MessagePage, type MessagePageData } from "./message-page.tsx";

interface ContactPageProps extends MessagePageData<"nom" | "email" | "message"> {
	/** The company and the concern, when the form was opened from a company's page. */
	about: { concern: string; subject: string; siren: string } | null;
}

export function ContactPage({ about, ...page }: ContactPageProps) {
	return (
		<MessagePage
			{...page}
			action={href("/contact")}
			formFirst={about !== null}
			fieldsBefore={
				<>
					{about && (
						<div>
							<DescriptionList
								rows={[
									["Objet", about.subject],
									["SIREN", <Siren key="siren" value={about.siren} />],
								]}
							/>
							<input type="hidden" name="objet" value={about.concern} />
							<input type="hidden" name="siren" value={about.siren} />
							<p className="mt-3 text-sm text-soft">
								<InlineContent text={getParagraph(getSection(page.text, about.concern))} />
							</p>
						</div>
					)}
					<TextField {...getFieldProps(page.refused, "nom")} label="Nom" autoComplete="name" required />
				</>
			}
		/>
	);
}
