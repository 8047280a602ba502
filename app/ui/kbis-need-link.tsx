import { href } from "react-router";

/** Shown before any price, because a free document is often enough. */
export function KbisNeedLink({ className = "" }: { className?: string }) {
	return (
		<p className={className}>
			Un document gratuit peut suffire&nbsp;:{" "}
			<a className="link inline-block" href={href("/ai-je-besoin-d-un-kbis")}>
				Ai-je besoin d’un Kbis&nbsp;?
			</a>
		</p>
	);
}
