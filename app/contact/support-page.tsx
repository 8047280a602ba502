import { href } from "react-router";
import type { Question } from "../content/text.ts";
import { QuestionList } from "../content/text-page.tsx";
import { button } from "../ui/button.tsx";
import { SelectField, TextField } from "../ui/field.tsx";
import { Icon } from "../ui/icon.tsx";
import { Section } from "../ui/page.tsx";
import { fieldOf, MessagePage, type MessageShown } from "./message-page.tsx";
import type { supportTexts } from "./support-texts.ts";

type Field = "firstName" | "lastName" | "email" | "phone" | "subject" | "message";

interface Shown extends MessageShown<typeof supportTexts, Field> {
	subjects: readonly string[];
	questions: readonly Question[];
}

export function SupportPage({ subjects, questions, ...shown }: Shown) {
	const { text, refused } = shown;
	return (
		<MessagePage
			{...shown}
			labels={{ subject: text.subjectField }}
			action={href("/support")}
			reach={
				<div className="mt-6 flex flex-wrap items-center gap-x-5 gap-y-3 print:hidden">
					<a href="#ecrire" className={button("secondary")}>
						<Icon name="mail" />
						{text.write}
					</a>
					<p className="min-w-0 flex-1 basis-64 text-sm text-soft">{text.noChat}</p>
				</div>
			}
			fieldsBefore={
				<div className="grid items-end gap-5 sm:grid-cols-2">
					<TextField {...fieldOf(refused, "firstName")} label={text.firstNameField} autoComplete="given-name" required />
					<TextField {...fieldOf(refused, "lastName")} label={text.lastNameField} autoComplete="family-name" required />
				</div>
			}
			fieldsAfter={
				<>
					<TextField {...fieldOf(refused, "phone")} type="tel" label={text.phoneField} hint={text.phoneHint} autoComplete="tel" optional />
					<SelectField {...fieldOf(refused, "subject")} label={text.subjectField} required>
						<option value="">{text.subjectEmpty}</option>
						{subjects.map((subject) => (
							<option key={subject}>{subject}</option>
						))}
					</SelectField>
				</>
			}
		>
			<Section title={text.questionsHeading}>
				<QuestionList questions={questions} />
			</Section>
		</MessagePage>
	);
}
