import { href } from "react-router";
import { QuestionList } from "../../content/accordion.tsx";
import { InlineContent } from "../../content/content-blocks.tsx";
import { getParagraph, getSection, type Question } from "../../content/text.ts";
import { button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Section } from "../../ui/page.tsx";
import { getFieldProps, MessagePage, type MessagePageData } from "./message-page.tsx";

type Field = "firstName" | "lastName" | "email" | "phone" | "subject" | "message";

interface SupportPageProps extends MessagePageData<Field> {
	subjects: readonly string[];
	questions: readonly Question[];
}

export function SupportPage({ subjects, questions, ...page }: SupportPageProps) {
	const { text, refused } = page;
	const message = getSection(text, "message");
	return (
		<MessagePage
			{...page}
			action={href("/support")}
			reach={
				<div className="mt-6 flex flex-wrap items-center gap-x-5 gap-y-3 print:hidden">
					<a href="#ecrire" className={button("secondary")}>
						<Icon name="mail" />
						{message.heading}
					</a>
					<p className="min-w-0 flex-1 basis-80 text-sm text-soft">
						<InlineContent text={getParagraph(message)} />
					</p>
				</div>
			}
			fieldsBefore={
				<div className="grid items-end gap-5 sm:grid-cols-2">
					<TextField {...getFieldProps({ refused }, "firstName")} label="Prénom" autoComplete="given-name" required />
					<TextField {...getFieldProps({ refused }, "lastName")} label="Nom" autoComplete="family-name" required />
				</div>
			}
			fieldsAfter={
				<>
					<TextField
						{...getFieldProps({ refused }, "phone")}
						type="tel"
						label="Téléphone"
						hint="Un numéro français."
						autoComplete="tel"
						optional
					/>
					<SelectField {...getFieldProps({ refused }, "subject")} label="Sujet" required>
						<option value="">Choisissez un sujet</option>
						{subjects.map((subject) => (
							<option key={subject}>{subject}</option>
						))}
					</SelectField>
				</>
			}
		>
			<Section title={getSection(text, "questions").heading}>
				<QuestionList questions={questions} />
			</Section>
		</MessagePage>
	);
}
