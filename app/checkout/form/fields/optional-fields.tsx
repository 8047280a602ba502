import { type ReactNode, useState } from "react";
import { Icon } from "../../../ui/icon.tsx";

interface OptionalFieldsProps {
	label: ReactNode;
	/** Opens it: a value or an error is inside. It closes again only by hand. */
	needed: boolean;
	/** Most customers fill it in: it starts open. */
	likely?: boolean;
	children: ReactNode;
}

/** Optional fields of a form, behind its name: « Ajouter un téléphone ». It works without JavaScript. */
export function OptionalFields({ label, needed, likely = false, children }: OptionalFieldsProps) {
	const [open, setOpen] = useState(needed || likely);
	if (needed && !open) setOpen(true);
	return (
		<details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)} className="group">
			<summary className="inline-flex min-h-11 items-center gap-2 font-semibold hover:text-accent">
				<Icon name="chevron" className="size-4 group-open:rotate-180" />
				<span className="link">{label}</span>
			</summary>
			<div className="pt-2 pb-3">{children}</div>
		</details>
	);
}
