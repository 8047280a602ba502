import { href } from "react-router";
import { canFollow } from "../can-follow.ts";
import type { Company } from "../company.ts";

/** Leads to the alerts of a company; nothing for a company without any. */
export function FollowLink({ company }: { company: Company }) {
	if (!canFollow(company)) return null;
	return (
		<p className="border-t border-line py-4 text-sm text-soft print:hidden">
			<a
				href={href("/entreprise/:siren/alerte", { siren: company.siren })}
				rel="nofollow"
				className="link inline-flex min-h-11 items-center"
			>
				Suivre cette entreprise
			</a>
			{"\u00a0: un e-mail gratuit, sans compte, quand une annonce paraît au BODACC."}
		</p>
	);
}
