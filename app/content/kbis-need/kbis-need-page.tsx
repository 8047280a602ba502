import type { ReactNode } from "react";
import { href } from "react-router";
import { HelpBreadcrumb } from "../../ui/breadcrumb.tsx";
import { button } from "../../ui/button.tsx";
import { DescriptionList } from "../../ui/description-list.tsx";
import { Disclosure } from "../../ui/disclosure.tsx";
import { QuestionDrawing } from "../../ui/drawings/drawings.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { FieldMessages } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { isLink, type RichText } from "../../ui/markdown/rich-text.ts";
import { Page, Section, Title } from "../../ui/page.tsx";
import { PrivateService } from "../../ui/private-service.tsx";
import { Blocks, InlineContent } from "../content-blocks.tsx";
import { SupportContact } from "../support-contact.tsx";
import type { Text } from "../text.ts";
import type { Choices, DescribedAnswer, questions, readChoices } from "./kbis-need.ts";

interface KbisNeedPageProps {
	text: Text;
	questions: typeof questions;
	chosen: ReturnType<typeof readChoices>;
	/** Null until the first two questions have a reply. */
	answer: DescribedAnswer | null;
	/** Whether there is a document to buy. */
	sold: boolean;
	errors: Partial<Record<keyof Choices, string>>;
}

/** The questions; with replies, the answer becomes the page's heading. */
export function KbisNeedPage({ text, answer, sold, ...form }: KbisNeedPageProps) {
	return (
		<Page
			header={
				<Title
					above={<HelpBreadcrumb label={text.title} />}
					lead={!answer && text.lead && <InlineContent text={text.lead} />}
					drawing={QuestionDrawing}
				>
					{answer ? answer.heading : text.title}
				</Title>
			}
			aside={<SupportContact />}
		>
			{answer && (
				<>
					<AnswerDetails answer={answer} />
					{sold && <PrivateService className="-mt-5 mb-10" />}
				</>
			)}
			{answer ? (
				<ChangeAnswers title="Changer vos réponses">
					<QuestionForm {...form} look="secondary" />
				</ChangeAnswers>
			) : (
				<Section title="Votre situation">
					<QuestionForm {...form} look="primary" />
				</Section>
			)}
			{text.sections.map(({ heading, content }) => (
				<Section key={heading} title={heading}>
					<Blocks blocks={content} />
				</Section>
			))}
		</Page>
	);
}

function AnswerDetails({ answer }: { answer: DescribedAnswer }) {
	return (
		<div className="mb-10">
			<DescriptionList
				className="sm:[&>div]:grid-cols-[9rem_1fr]"
				rows={[
					["Le document", <InlineContent key="document" text={answer.document} />],
					["Gratuitement", <InlineContent key="free" text={answer.free} />],
					["Au greffe", <InlineContent key="greffe" text={answer.greffe} />],
					["PDF ou papier", answer.shape && <InlineContent key="shape" text={answer.shape} />],
					["Par notre service", <InlineContent key="service" text={answer.service} />],
				]}
			/>
			<NextStep link={answer.link} />
		</div>
	);
}

/** The main action of an answer. */
function NextStep({ link }: { link: RichText }) {
	if (!isLink(link)) throw new Error("the next step of an answer is one link");
	return (
		<p className="mt-6 print:hidden">
			<a href={link.url} className={button("primary", "px-6")}>
				<InlineContent text={link.link} />
				<Icon name="arrow" className="size-4.5" />
			</a>
		</p>
	);
}

/** The questions, collapsed: fifteen choices would separate the answer from its explanation. */
function ChangeAnswers({ title, children }: { title: string; children: ReactNode }) {
	return (
		<Disclosure title={<h2 className="py-3 text-xl">{title}</h2>} className="border-t print:hidden">
			<div className="pb-10">{children}</div>
		</Disclosure>
	);
}

interface QuestionFormProps extends Pick<KbisNeedPageProps, "questions" | "chosen" | "errors"> {
	/** The look of the button: below an answer, the main action is the next step. */
	look: "primary" | "secondary";
}

function QuestionForm({ questions, chosen, errors, look }: QuestionFormProps) {
	return (
		<>
			<ErrorSummary errors={Object.entries(errors).map(([field, message]) => ({ field, message }))} />
			<form method="get" action={href("/ai-je-besoin-d-un-kbis")} className="grid gap-6 print:hidden">
				{(["demande", "entreprise", "forme"] as const).map((name) => (
					<RadioGroup
						key={name}
						name={name}
						legend={questions[name].legend}
						options={questions[name].options}
						chosen={chosen[name]}
						error={errors[name]}
					/>
				))}
				<div>
					<button type="submit" className={button(look)}>
						Voir la réponse
					</button>
				</div>
			</form>
		</>
	);
}

interface RadioGroupProps {
	/** Also the id of its first button, which the error summary links to. */
	name: string;
	legend: string;
	hint?: string;
	/** The problem and its solution. */
	error?: string | undefined;
	/** Form value → label. */
	options: Readonly<Record<string, string>>;
	chosen: string | null;
}

/** A few visible choices; each whole line is a click target. */
function RadioGroup({ name, legend, hint, error, options, chosen }: RadioGroupProps) {
	const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(" ");
	return (
		<fieldset aria-describedby={described || undefined}>
			<legend className="mb-1 font-semibold">{legend}</legend>
			<FieldMessages name={name} label={legend} hint={hint} error={error} />
			{Object.entries(options).map(([value, label], index) => (
				<label key={value} className="flex min-h-11 items-start gap-3 py-2">
					<input
						type="radio"
						name={name}
						value={value}
						id={index === 0 ? name : `${name}-${value}`}
						defaultChecked={value === chosen}
						className="radio mt-1"
					/>
					{label}
				</label>
			))}
		</fieldset>
	);
}
