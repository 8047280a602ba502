import { href } from "react-router";
import { InlineContent } from "../../content/content-blocks.tsx";
import { getParagraph, getSection } from "../../content/text.ts";
import { DescriptionList } from "../../ui/description-list.tsx";
import { TextField } from "../../ui/field.tsx";
import { Siren } from "../../ui/siren.tsx";
import type { AboutCompany, MessageAbout } from "./contact-message.ts";
import { getFieldProps, MessagePage, type MessagePageData } from "./message-page.tsx";

interface ContactPageProps extends MessagePageData<"nom" | "email" | "message"> {
	about: MessageAbout | null;
}

export function ContactPage({ about, ...page }: ContactPageProps) {
	return (
		<MessagePage
			{...page}
			action={href("/contact")}
			order={about?.order ?? null}
			formFirst={about !== null}
			fieldsBefore={
				<>
					{about && (
						<div>
							<DescriptionList
								rows={[
									["Objet", about.subject],
									["SIREN", about.company && <Siren key="siren" value={about.company.siren} />],
								]}
							/>
							{about.order && <input type="hidden" name="commande" value={about.order} />}
							{about.company && <CompanyConcernFields {...about.company} text={page.text} />}
						</div>
					)}
					<TextField {...getFieldProps(page, "nom")} label="Nom" autoComplete="name" required />
				</>
			}
		/>
	);
}

function CompanyConcernFields({ concern, siren, text }: AboutCompany & Pick<ContactPageProps, "text">) {
	return (
		<>
			<input type="hidden" name="objet" value={concern} />
			<input type="hidden" name="siren" value={siren} />
			<p className="mt-3 text-sm text-soft">
				<InlineContent text={getParagraph(getSection(text, concern))} />
			</p>
		</>
	);
}
