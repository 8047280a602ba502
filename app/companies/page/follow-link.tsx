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
				Être prévenu
			</a>
			{"\u00a0: recevoir un e-mail quand une annonce paraît, gratuitement et sans compte."}
		</p>
	);
}
