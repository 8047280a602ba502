import type { ComponentType, ReactNode } from "react";
import type { DrawingProps } from "./drawings/drawings.tsx";

const widths = { reading: "max-w-reading", form: "max-w-form", page: "max-w-page" } as const;

/**
 * The body of a page. All pages share one left edge; `reading` is the measure of a text, `form` of one form, `page` the whole grid.
 * On wide screens `aside` stays in view beside a text: a table of contents, or the one fact that matters. Narrow screens leave it out.
 * `header` stands above both.
 */
export function Page({
	width = "reading",
	header,
	aside,
	className = "",
	children,
}: {
	width?: keyof typeof widths;
	header?: ReactNode;
	aside?: ReactNode;
	className?: string;
	children: ReactNode;
}) {
	const column = <div className={`min-w-0 ${widths[width]}`}>{children}</div>;
	return (
		<div className={`mx-auto max-w-page px-5 pt-3 pb-10 sm:px-8 md:pt-6 md:pb-16 print:py-0 ${className}`}>
			{header}
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

interface TitleProps {
	id?: string;
	/** A label above. */
	above?: ReactNode;
	/** A sentence below. */
	lead?: ReactNode;
	/** At the right; on narrow screens the title flows around it. */
	drawing?: ComponentType<DrawingProps>;
	children: ReactNode;
}

/** The heading of a page. */
export function Title({ id, above, lead, drawing: Drawing, children }: TitleProps) {
	return (
		<header className="mb-6 flow-root sm:grid sm:grid-cols-[minmax(0,1fr)_auto] sm:grid-rows-[auto_auto_1fr] sm:gap-x-8 print:mb-5">
			{above && <div className="mb-2 text-sm text-soft">{above}</div>}
			{Drawing && (
				<Drawing className="mb-2 w-20 max-sm:float-right max-sm:ml-4 sm:col-start-2 sm:row-span-3 sm:row-start-1 sm:w-36 lg:w-48 print:hidden" />
			)}
			<h1 id={id} className="text-2xl sm:col-start-1">
				{children}
			</h1>
			{lead && <p className="mt-3 max-w-reading text-lg text-soft sm:col-start-1">{lead}</p>}
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
