import type { ReactNode } from "react";
import { useNavigation } from "react-router";
import { button } from "../../ui/button.tsx";
import { Logo } from "../../ui/logo.tsx";
import { useSite } from "../../ui/site.ts";

/** The frame of the pages around signing in: one narrow sheet. */
export function SignInFrame({ title, children }: { title: string; children: ReactNode }) {
	const site = useSite();
	return (
		<main id="contenu" tabIndex={-1} className="mx-auto max-w-[28rem] px-4 py-10 outline-none">
			<p className="mb-8 flex items-center gap-2 font-serif text-lg font-medium">
				<Logo className="size-6" />
				{site?.shop.name}, bureau
			</p>
			<h1 className="mb-6 text-2xl">{title}</h1>
			{children}
		</main>
	);
}

/** The button of a form around signing in: disabled while its answer is awaited, because a password takes a moment to check. */
export function DoorButton({ children }: { children: ReactNode }) {
	const busy = useNavigation().state !== "idle";
	return (
		<button type="submit" disabled={busy} className={button("primary", "w-full")}>
			{busy ? "Un instant…" : children}
		</button>
	);
}
