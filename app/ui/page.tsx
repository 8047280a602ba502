import type { ReactNode } from "react";

const widths = { reading: "max-w-reading", form: "max-w-form", page: "max-w-page" } as const;

/**
 * The body of a page. All pages share one left edge; `reading` is the measure of a text, `form` of one form, `page` the whole grid.
 * On wide screens `aside` stays in view beside a text: a table of contents, or the one fact that matters. Narrow screens leave it out.
 */
export function Page({
	width = "reading",
	aside,
	className = "",
	children,
}: {
	width?: keyof typeof widths;
	aside?: ReactNode;
	className?: string;
	children: ReactNode;
}) {
	const column = <div className={`min-w-0 ${widths[width]}`}>{children}</div>;
	return (
		<div className={`mx-auto max-w-page px-5 pt-3 pb-10 sm:px-8 md:pt-6 md:pb-16 print:py-0 ${className}`}>
			{aside ? (
				<div className="lg:grid lg:grid-cols-[minmax(0,1fr)_18rem] lg:gap-x-16">
					{column}
					<aside className="max-lg:hidden print:hidden">
						<div className="tall:sticky tall:top-24">{aside}</div>
					</aside>
				</div>
			) : (
				column
			)}
		</div>
	);
}

/** The heading of a page, with a label above and a sentence below. */
export function Title({ id, above, lead, children }: { id?: string; above?: ReactNode; lead?: ReactNode; children: ReactNode }) {
	return (
		<header className="mb-6 print:mb-5">
			{above && <div className="mb-2 text-sm text-soft">{above}</div>}
			<h1 id={id} className="text-2xl">
				{children}
			</h1>
			{lead && <p className="mt-3 max-w-reading text-lg text-soft">{lead}</p>}
		</header>
	);
}

/** A section of a page with its heading, separated by a hairline. */
export function Section({
	id,
	title,
	className = "",
	children,
}: {
	id?: string;
	title: ReactNode;
	className?: string;
	children: ReactNode;
}) {
	return (
		<section id={id} className={`border-t border-line pt-6 pb-10 print:pt-4 print:pb-5 ${className}`}>
			<h2 className="mb-5 text-xl">{title}</h2>
			{children}
		</section>
	);
}
