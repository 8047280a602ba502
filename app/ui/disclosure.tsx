import type { ComponentProps, ReactNode } from "react";
import { Icon } from "./icon.tsx";

interface DisclosureProps extends Omit<ComponentProps<"details">, "title"> {
	title: ReactNode;
}

/** A folded part of a page, behind its title. The browser opens it, without scripts. @param className its lines and margins. */
export function Disclosure({ title, className = "", children, ...details }: DisclosureProps) {
	return (
		<details {...details} className={`group border-line ${className}`}>
			<summary className="flex min-h-11 items-center justify-between gap-4 py-2.5 font-semibold hover:text-accent">
				{title}
				<Icon name="chevron" className="size-5 text-soft group-open:rotate-180" />
			</summary>
			{children}
		</details>
	);
}
