import { href } from "react-router";
import { button } from "../../ui/button.tsx";
import { setFrenchSpaces } from "../../ui/french-spaces.ts";
import { ActForm } from "../acts/act-form.tsx";
import type { HeldRefunds } from "./held-refunds.server.ts";

/** Late refunds that wait for a person. @param mayServe the operator may open orders. */
export function HeldRefundsSection({ held, mayServe }: { held: HeldRefunds; mayServe: boolean }) {
	return (
		<section aria-labelledby="retenus" className="mt-10">
			<h2 id="retenus" className="text-xl">
				Remboursements retenus
			</h2>
			<p className="mt-1 max-w-reading text-sm text-soft">
				{setFrenchSpaces(`Frein des remboursements de retard\u00a0: ${held.brake}.`)} La somme est due au client, qui le sait. Sans
				décision, elle part d’elle-même à l’heure indiquée.
			</p>
			{held.refunds.length === 0 ? <p className="mt-3">Aucun remboursement n’attend.</p> : <HeldList held={held} mayServe={mayServe} />}
		</section>
	);
}

function HeldList({ held: { refunds, total }, mayServe }: { held: HeldRefunds; mayServe: boolean }) {
	return (
		<>
			<ActForm act="release-refunds" order={null} className="mt-5">
				<button type="submit" className={button("primary")}>
					{refunds.length === 1 ? `Le faire partir\u00a0: ${total}` : `Faire partir les ${refunds.length}\u00a0: ${total}`}
				</button>
			</ActForm>
			<ul className="mt-5 divide-y divide-line border-y border-line">
				{refunds.map(({ id, orderId, number, company, amount, requestedAt, leavesAt }) => (
					<li key={id} className="grid items-center gap-x-6 gap-y-1 py-2 md:grid-cols-[9rem_minmax(0,1fr)_6rem_16rem_8rem]">
						<span className="figures font-semibold">
							{mayServe ? (
								<a className="link" href={href("/bureau/commandes/:number", { number })}>
									{number}
								</a>
							) : (
								number
							)}
						</span>
						<span className="min-w-0 break-words">{company}</span>
						<span className="figures">{amount}</span>
						<span className="text-sm text-soft">
							retenu le {requestedAt}, part le {leavesAt}
						</span>
						<ActForm act="release-refund" order={orderId}>
							<button type="submit" className={button("quiet")}>
								Faire partir<span className="sr-only"> le remboursement de {number}</span>
							</button>
						</ActForm>
					</li>
				))}
			</ul>
		</>
	);
}
