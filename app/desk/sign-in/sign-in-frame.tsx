import type { ReactNode } from "react";
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
