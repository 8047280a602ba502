import type { ComponentProps, ReactNode } from "react";

/** A sheet with a hairline border: for choices, not for texts. */
export function Card({ className = "", ...article }: ComponentProps<"article">) {
	return <article className={`rounded-lg border border-line bg-sheet p-5 sm:p-6 lg:p-5 ${className}`} {...article} />;
}

/** A card that is a radio button: the whole card is its click target. It works without JavaScript. */
export function ChoiceCard({ title, children, ...radio }: { title: ReactNode } & Omit<ComponentProps<"input">, "title" | "type">) {
	return (
		<label className="flex cursor-pointer gap-4 rounded-lg border border-line bg-sheet p-5 transition-colors has-checked:chosen hover:border-ink has-focus-visible:chosen">
			<input type="radio" className="radio mt-1 outline-none" {...radio} />
			<span className="flex min-w-0 flex-1 flex-col">
				<span className="font-serif text-lg font-medium">{title}</span>
				{children && <span className="mt-1 flex flex-1 flex-col text-sm text-soft">{children}</span>}
			</span>
		</label>
	);
}

const tagLooks = { plain: "border-line text-soft", accent: "border-accent text-accent", waiting: "border-waiting text-waiting" } as const;

/** A highlighted word: a legal form, « Recommandé », « Entreprise radiée ». */
export function Tag({ look = "plain", children }: { look?: keyof typeof tagLooks; children: ReactNode }) {
	return (
		<span className={`inline-block rounded-md border bg-sheet px-2 text-xs leading-6 font-semibold ${tagLooks[look]}`}>{children}</span>
	);
}
