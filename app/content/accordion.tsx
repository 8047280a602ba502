import type { ReactNode } from "react";
import { Disclosure } from "../ui/disclosure.tsx";
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
				<Disclosure
					key={title}
					id={id}
					name="questions"
					title={<Heading className="tracking-normal max-sm:text-base sm:text-lg">{title}</Heading>}
					className="border-b"
				>
					<div className="max-w-reading pb-6">{body}</div>
				</Disclosure>
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
