import { Disclosure } from "../ui/disclosure.tsx";
import type { Text } from "./text.ts";

type Contents = Pick<Text, "layout" | "sections">;

const fewestSections = 5;

/** Whether a text is long enough for a table of contents. An accordion of questions is one already. */
export const hasTableOfContents = ({ layout, sections }: Contents) => layout !== "questions" && sections.length >= fewestSections;

/** Beside a text, in view all the time. Browsers that can mark the section on screen do so (reading-pages.css). */
export function TableOfContents({ layout, sections }: Contents) {
	return (
		<nav aria-labelledby="contents">
			<p id="contents" className="label mb-2 text-soft">
				Sur cette page
			</p>
			<ol className="contents-list max-h-[calc(100dvh-10rem)] overflow-y-auto border-l border-line text-sm">
				{sections.map(({ anchor, heading }, index) => (
					<li key={anchor}>
						<a
							href={`#${anchor}`}
							className="-ml-px block border-l-2 border-transparent py-1.5 pl-4 leading-snug text-soft hover:text-accent"
						>
							{layout === "legal" ? `${index + 1}. ${heading}` : heading}
						</a>
					</li>
				))}
			</ol>
		</nav>
	);
}

/** On narrow screens, above the text. */
export function FoldedTableOfContents({ layout, sections }: Contents) {
	return (
		<Disclosure title="Sommaire" className="border-t lg:hidden print:hidden">
			<nav aria-label="Sommaire" className="pb-4">
				<ol className="md:columns-2 md:gap-x-8">
					{sections.map(({ anchor, heading }, index) => (
						<li key={anchor}>
							<a href={`#${anchor}`} className="link inline-flex min-h-11 items-center">
								{layout === "legal" ? `${index + 1}. ${heading}` : heading}
							</a>
						</li>
					))}
				</ol>
			</nav>
		</Disclosure>
	);
}
