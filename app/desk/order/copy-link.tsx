import { useState } from "react";
import { button } from "../../ui/button.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";

/** A link to copy. It is no anchor: the desk never opens a customer's page. */
export function CopyLink({ url }: { url: string }) {
	const [isCopied, setCopied] = useState(false);
	const hydrated = useHydrated();
	return (
		<div className="mt-5">
			<p className="border-y border-line py-3 text-sm break-all select-all">{url}</p>
			<p className="mt-3 flex items-center gap-4">
				{hydrated && (
					<button
						type="button"
						className={button("secondary")}
						onClick={() => void navigator.clipboard?.writeText(url).then(() => setCopied(true))}
					>
						Copier
					</button>
				)}
				<span role="status" className="text-sm text-done">
					{isCopied && "Copié"}
				</span>
			</p>
		</div>
	);
}
