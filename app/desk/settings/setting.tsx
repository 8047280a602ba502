import type { ReactNode } from "react";

/** One setting: its state, and the form that changes it. */
export function Setting({ id, title, state, children }: { id: string; title: string; state?: ReactNode; children: ReactNode }) {
	return (
		<section aria-labelledby={id} className="border-t border-line py-6 first:border-t-0 first:pt-0">
			<h2 id={id} className="text-xl">
				{title}
			</h2>
			{state && <p className="mt-1">{state}</p>}
			<div className="mt-4">{children}</div>
		</section>
	);
}
