import { Icon } from "../ui/icon.tsx";
import type { faq } from "./faq.ts";
import { Words } from "./legal-page.tsx";

/** Questions with their answers, one open at a time. */
export function QuestionList({ questions }: { questions: typeof faq }) {
	return (
		<div className="max-w-form border-t border-line">
			{questions.map(({ question, answer }) => (
				<details key={question} name="faq" className="group border-b border-line">
					<summary className="flex min-h-11 items-center justify-between gap-6 py-4 font-serif text-lg font-medium hover:text-accent">
						<h3 className="tracking-normal">{question}</h3>
						<Icon name="chevron" className="size-5 text-soft transition-transform duration-150 group-open:rotate-180" />
					</summary>
					<p className="max-w-reading pb-6">
						<Words text={answer} />
					</p>
				</details>
			))}
		</div>
	);
}
