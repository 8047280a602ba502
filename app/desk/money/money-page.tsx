import type { ReactNode } from "react";
import { href, Link } from "react-router";
import { shopContext } from "../../shop.ts";
import { button } from "../../ui/button.tsx";
import { setFrenchSpaces } from "../../ui/french-spaces.ts";
import { Notice, Status } from "../../ui/notice.tsx";
import { ActForm } from "../acts/act-form.tsx";
import { recordLook } from "../order/record-look.server.ts";
import { getActor, getSignedIn } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/money-page";
import { ApproveForm } from "./approve-form.tsx";
import { Differences } from "./differences.tsx";
import { type HeldRefunds, readHeldRefunds } from "./held-refunds.server.ts";
import { listMoney } from "./list-money.server.ts";

export { keepPage as shouldRevalidate } from "../shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Argent – bureau" }];

export async function loader({ request, context }: Route.LoaderArgs) {
	const { operator } = getSignedIn(context);
	const shop = context.get(shopContext);
	await recordLook(shop, getActor(context), "look-at-money", null);
	return {
		money: await listMoney(shop, new URL(request.url).searchParams, operator.id),
		held: await readHeldRefunds(shop),
		mayServe: operator.roles.includes("serve"),
		mayCount: operator.roles.includes("accounts"),
	};
}

export { keepUnsentAct as clientAction } from "../acts/act-form.tsx";
export { answerMoneyForm as action } from "./answer-money-form.server.ts";

/** What a person must settle, then the newest payments and refunds. */
export default function MoneyPage({ loaderData: { money, held, mayServe, mayCount } }: Route.ComponentProps) {
	const { toApprove, requests, disputes, unsettled, onHold, refunds, payments, next, reconciliation, month } = money;
	const isClear = toApprove.length + requests.length + disputes.length + unsettled.length + onHold.length + held.refunds.length === 0;
	return (
		<div className="mx-auto max-w-page">
			<h1 className="text-2xl">Argent</h1>
			{isClear && (
				<Notice kind="done" className="mt-6">
					<p>Rien à décider pour l’instant.</p>
				</Notice>
			)}
			<Section title="À approuver par une deuxième personne" rows={toApprove}>
				{({ key, label, by, at, details, number, isMine }) => (
					<Row
						key={key}
						number={number}
						aside={isMine ? <span className="text-soft">Une autre personne l’approuve</span> : <ApproveForm actKey={key} />}
					>
						<strong>{label}</strong>
						{details && `, ${details}`}
						<Small>
							Demandé par {by}, {at}
						</Small>
					</Row>
				)}
			</Section>
			<Section title="Demandes de remboursement" rows={requests}>
				{({ id, number, company, message, wait }) => (
					<Row key={id} number={number} aside={<Status kind={wait.kind}>{wait.text}</Status>}>
						{company}
						<Small>
							<span className="line-clamp-2 whitespace-pre-line">{message}</span>
						</Small>
					</Row>
				)}
			</Section>
			<Section title="Contestations" rows={disputes}>
				{({ id, number, company, amount, reason, due, isUrgent }) => (
					<Row
						key={id}
						number={number}
						aside={
							<a href={href("/bureau/argent/:number/dossier.zip", { number })} download className={button("secondary")}>
								Dossier de preuves<span className="sr-only"> de {number}</span>
							</a>
						}
					>
						<span className="figures">{amount}</span>, {company}
						<Small>Motif donné par la banque&nbsp;: {reason}</Small>
						<Status kind={isUrgent ? "failed" : "warning"}>
							{due ? `Répondre avant ${due}` : "Échéance sur les pages du prestataire"}
						</Status>
					</Row>
				)}
			</Section>
			<Section title="Remboursements revenus ou refusés" rows={unsettled}>
				{({ id, number, company, amount, state, reason, asked }) => (
					<Row key={id} number={number} aside={<Status kind={state.kind}>{state.label}</Status>}>
						<span className="figures">{amount}</span>, {company}
						<Small>
							Demandé le {asked}&nbsp;: {reason}
						</Small>
					</Row>
				)}
			</Section>
			<Section title="Paiements mis de côté" rows={onHold}>
				{({ id, number, company, role, amount, currency, price, left, at }) => (
					<Row key={id} number={number} aside={<span className="figures">Reste {left}</span>}>
						<span className="figures">{amount}</span>
						{currency !== "eur" && ` (${currency.toUpperCase()})`}, {company}
						<Small>
							{role}, {at}. Prix de la commande&nbsp;: {price}
						</Small>
					</Row>
				)}
			</Section>
			<HeldRefundsSection held={held} mayServe={mayServe} />
			<Differences reconciliation={reconciliation} month={mayCount ? month : null} />
			<Section title="Derniers remboursements" rows={refunds} counted={false}>
				{({ id, number, company, amount, state, reason, at, heldUntil }) => (
					<Row
						key={id}
						number={number}
						aside={<Status kind={state.kind}>{heldUntil ? `Retenu jusqu’au ${heldUntil}` : state.label}</Status>}
					>
						<span className="figures">{amount}</span>, {company}
						<Small>
							<span className="figures">{at}</span>, {reason}
						</Small>
					</Row>
				)}
			</Section>
			<Section title="Derniers paiements" rows={payments} counted={false}>
				{({ id, number, company, amount, at, role, isUsual, refunded, dispute }) => (
					<Row
						key={id}
						number={number}
						aside={
							<>
								{dispute === "open" && <Status kind="failed">Contesté</Status>}
								{refunded && <span className="figures text-soft">Rendu {refunded}</span>}
							</>
						}
					>
						<span className="figures">{amount}</span>, {company}
						<Small>
							<span className="figures">{at}</span>
							{!isUsual && `, ${role.toLowerCase()}`}, <span className="break-all">{id}</span>
						</Small>
					</Row>
				)}
			</Section>
			{next && (
				<p className="mt-4">
					<Link to={`?${next}`} className={button("secondary")}>
						Paiements plus anciens
					</Link>
				</p>
			)}
		</div>
	);
}

/** A list with its title; nothing when it is empty. */
function Section<Item>({
	title,
	rows,
	counted = true,
	children,
}: {
	title: string;
	rows: readonly Item[];
	/** Whether the title says how many there are: all of them stand here. */
	counted?: boolean;
	children: (row: Item) => ReactNode;
}) {
	if (rows.length === 0) return null;
	return (
		<section className="mt-10" aria-label={title}>
			<h2 className="text-xl">
				{title}
				{counted && <span className="figures text-soft"> ({rows.length})</span>}
			</h2>
			<ol className="mt-2 divide-y divide-line border-y border-line">{rows.map(children)}</ol>
		</section>
	);
}

function Row({ number, aside, children }: { number: string | null; aside: ReactNode; children: ReactNode }) {
	return (
		<li className="grid items-baseline gap-x-6 gap-y-1 py-3 md:grid-cols-[9rem_1fr_auto]">
			{number ? (
				<Link to={href("/bureau/argent/:number", { number })} className="link figures font-semibold">
					{number}
				</Link>
			) : (
				<span />
			)}
			<div className="min-w-0 break-words">{children}</div>
			<div className="flex flex-wrap gap-x-4 text-sm md:justify-end">{aside}</div>
		</li>
	);
}

const Small = ({ children }: { children: ReactNode }) => <span className="block text-sm text-soft">{children}</span>;

/** Late refunds that wait for a person. @param mayServe the operator may open orders. */
function HeldRefundsSection({ held, mayServe }: { held: HeldRefunds; mayServe: boolean }) {
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
