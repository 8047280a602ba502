import type { ReactNode } from "react";
import { Icon } from "../ui/icon.tsx";
import { InlineContent } from "./content-blocks.tsx";
import type { Question } from "./text.ts";

interface AccordionProps {
	rows: readonly { id?: string; title: string; body: ReactNode }[];
	/** Of the headings. */
	level?: "h2" | "h3";
}

/** An accordion: one row is open at a time, and each can be closed. */
export function Accordion({ rows, level: Heading = "h2" }: AccordionProps) {
	return (
		<div className="border-t border-line">
			{rows.map(({ id, title, body }) => (
				<details key={title} id={id} name="questions" className="group border-b border-line">
					<summary className="flex min-h-11 items-center justify-between gap-6 py-4 font-serif text-lg font-medium hover:text-accent">
						<Heading className="tracking-normal">{title}</Heading>
						<Icon name="chevron" className="size-5 text-soft transition-transform duration-150 group-open:rotate-180" />
					</summary>
					<div className="max-w-reading pb-6">{body}</div>
				</details>
			))}
		</div>
	);
}

/** Questions with an answer of one paragraph each, below a heading of the page. */
export function QuestionList({ questions }: { questions: readonly Question[] }) {
	return (
		<Accordion
			level="h3"
			rows={questions.map(({ question, answer }) => ({
				title: question,
				body: (
					<p>
						<InlineContent text={answer} />
					</p>
				),
			}))}
		/>
	);
}
