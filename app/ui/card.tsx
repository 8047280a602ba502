import type { ComponentProps, ReactNode } from "react";

/** A sheet with a hairline border: for choices, not for texts. */
export function Card({ className = "", ...article }: ComponentProps<"article">) {
	return <article className={`rounded-lg border border-line bg-sheet p-5 sm:p-6 lg:p-5 ${className}`} {...article} />;
}

/**
 * A card that is a radio button: the whole card is its click target. It works without JavaScript.
 * `aside` is opposite the title (a price), `mark` before it (« Recommandé »).
 */
export function ChoiceCard({
	title,
	aside,
	mark,
	children,
	className = "",
	...radio
}: { title: ReactNode; aside?: ReactNode; mark?: ReactNode } & Omit<ComponentProps<"input">, "title" | "type">) {
	return (
		<label
			className={`relative flex cursor-pointer gap-4 rounded-lg border border-line bg-sheet p-5 transition-colors has-disabled:cursor-not-allowed has-checked:chosen hover:border-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent ${className}`}
		>
			<input type="radio" className="radio mt-1 outline-none" {...radio} />
			<span className="flex min-w-0 flex-1 flex-col">
				<span className="flex flex-wrap items-baseline justify-between gap-x-4">
					<span className="font-serif text-lg font-medium">{title}</span>
					<span className="ml-auto flex items-baseline gap-3">
						{mark}
						{aside && <span className="figures font-semibold">{aside}</span>}
					</span>
				</span>
				{children && <span className="mt-1 flex flex-1 flex-col text-sm text-soft">{children}</span>}
			</span>
		</label>
	);
}

/** A highlighted word: a legal form, « Recommandé ». */
export function Tag({ strong, children }: { strong?: boolean; children: ReactNode }) {
	return (
		<span
			className={`inline-block rounded-md border bg-sheet px-2 text-xs leading-6 font-semibold ${strong ? "border-accent text-accent" : "border-line text-soft"}`}
		>
			{children}
		</span>
	);
}
