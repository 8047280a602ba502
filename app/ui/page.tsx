import type { ReactNode } from "react";

const widths = { reading: "max-w-reading", form: "max-w-form", page: "max-w-page" } as const;

/** The column of a page: `reading` for texts, `form` for one form, `page` for grids. */
export function Page({
	width = "reading",
	className = "",
	children,
}: {
	width?: keyof typeof widths;
	className?: string;
	children: ReactNode;
}) {
	return <div className={`mx-auto px-5 py-10 sm:px-8 md:py-14 print:py-0 ${widths[width]} ${className}`}>{children}</div>;
}

/** The heading of a page, with a label above and a sentence below. */
export function Title({ above, lead, children }: { above?: ReactNode; lead?: ReactNode; children: ReactNode }) {
	return (
		<header className="mb-8 print:mb-5">
			{above && <div className="mb-2 text-sm text-soft">{above}</div>}
			<h1 className="text-2xl">{children}</h1>
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
