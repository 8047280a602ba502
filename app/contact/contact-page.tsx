import { href } from "react-router";
import { DescriptionList } from "../ui/description-list.tsx";
import { TextField } from "../ui/field.tsx";
import { Siren } from "../ui/siren.tsx";
import type { contactTexts } from "./contact-texts.ts";
import { fieldOf, MessagePage, type MessageShown } from "./message-page.tsx";

interface ContactPageProps extends MessageShown<typeof contactTexts, "nom" | "email" | "message"> {
	/** What the message is about, where the form was reached from a company's page. */
	about: { concern: string; subject: string; siren: string } | null;
}

export function ContactPage({ about, ...shown }: ContactPageProps) {
	const { text, refused } = shown;
	return (
		<MessagePage
			{...shown}
			action={href("/contact")}
			formFirst={about !== null}
			fieldsBefore={
				<>
					{about && (
						<div>
							<DescriptionList
								rows={[
									[text.subjectField, about.subject],
									["SIREN", <Siren key="siren" value={about.siren} />],
								]}
							/>
							<input type="hidden" name="objet" value={about.concern} />
							<input type="hidden" name="siren" value={about.siren} />
							<p className="mt-3 text-sm text-soft">{about.concern === "donnees" ? text.objection : text.correction}</p>
						</div>
					)}
					<TextField {...fieldOf(refused, "nom")} label={text.nameField} autoComplete="name" required />
				</>
			}
		/>
	);
}
