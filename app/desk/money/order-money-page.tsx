import { useState } from "react";
import { href, Link } from "react-router";
import { shopContext } from "../../shop.ts";
import { button } from "../../ui/button.tsx";
import { DescriptionList } from "../../ui/description-list.tsx";
import { TextAreaField } from "../../ui/field.tsx";
import { Notice, Status } from "../../ui/notice.tsx";
import { ActForm, findFieldError, UndoForm, useNow } from "../acts/act-form.tsx";
import { findOrderOfPage } from "../order/find-order.server.ts";
import { recordLook } from "../order/record-look.server.ts";
import { PurchasePlace } from "../purchase/purchase-place.tsx";
import { getActor, getSignedIn } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/order-money-page";
import { ApproveForm } from "./approve-form.tsx";
import { describeOrderMoney, type OrderMoney } from "./describe-order-money.server.ts";
import { RefundForm } from "./refund-form.tsx";

export { keepPage as shouldRevalidate } from "../shell/keep-page.ts";

export const meta: Route.MetaFunction = ({ params }) => [{ title: `Argent de ${params.number} – bureau` }];

export async function loader({ params, context }: Route.LoaderArgs) {
	const { operator } = getSignedIn(context);
	const shop = context.get(shopContext);
	const order = await findOrderOfPage(shop, params.number);
	await recordLook(shop, getActor(context), "look-at-order", order.order_number);
	return { money: await describeOrderMoney(shop, order, operator.id), mayServe: operator.roles.includes("serve") };
}

export { keepUnsentAct as clientAction } from "../acts/act-form.tsx";
export { answerMoneyForm as action } from "./answer-money-form.server.ts";

/** The money of one order: what was paid, what goes back, and the forms for both. @param mayServe the operator may open the order. */
export default function OrderMoneyPage({ loaderData: { money, mayServe } }: Route.ComponentProps) {
	const { number, company, status, service, price, payments, refunds, request, waiting, refusals } = money;
	const now = useNow();
	return (
		<div className="mx-auto max-w-page">
			<p className="text-sm">
				<Link to={href("/bureau/argent")} className="link inline-flex min-h-11 items-center">
					Argent
				</Link>
			</p>
			<h1 className="figures text-2xl">{number}</h1>
			{money.purchase && <PurchasePlace purchase={money.purchase} number={number} money />}
			<p className="text-soft">
				{company}, {service}, {price}. État&nbsp;: {status.toLowerCase()}.{" "}
				{mayServe && (
					<Link to={href("/bureau/commandes/:number", { number })} className="link">
						Voir la commande
					</Link>
				)}
			</p>
			{refusals.map(({ key, label, sentence }) => (
				<Notice key={key} kind="failed" className="mt-4">
					<p>
						«&nbsp;{label}&nbsp;» n’a pas été fait. {sentence}
					</p>
				</Notice>
			))}
			{waiting.map(({ key, label, by, details, dueAt, needsApproval, isMine }) => (
				<Notice key={key} kind="waiting" className="mt-4">
					<p className="font-semibold">
						{label}
						{details && `, ${details}`}
					</p>
					<p className="text-sm text-soft">
						Demandé par {by}
						{needsApproval && isMine && ". Une autre personne l’approuve."}
					</p>
					{needsApproval ? (
						<ApproveForm actKey={key} isMine={isMine} />
					) : (
						dueAt && <UndoForm actKey={key} dueAt={dueAt} now={now} text="" />
					)}
				</Notice>
			))}
			{money.mayStop && (
				<ActForm act="stop" order={money.id} className="mt-8 max-w-form space-y-3">
					{({ busy }) => (
						<>
							<p>Cette commande est remboursée en entier, et elle est encore ouverte. Arrêtez-la, ou livrez son extrait quand même.</p>
							<button type="submit" disabled={busy} className={button("secondary")}>
								Arrêter la commande
							</button>
						</>
					)}
				</ActForm>
			)}
			{request && (
				<section aria-labelledby="demande" className="mt-8 max-w-form">
					<h2 id="demande" className="text-xl">
						Demande du client
					</h2>
					<p className="mt-1 text-sm text-soft">
						{request.at}, {request.isOpen ? "sans réponse" : "répondue"}
					</p>
					<blockquote className="mt-2 border-l-2 border-line pl-4 break-words whitespace-pre-line">{request.message}</blockquote>
					{request.isOpen && (
						<>
							<p className="mt-3 text-sm">Un remboursement, entier ou partiel, accorde la demande.</p>
							<RefuseRequestForm orderId={money.id} number={number} />
						</>
					)}
				</section>
			)}
			<section aria-labelledby="paiements" className="mt-8">
				<h2 id="paiements" className="text-xl">
					Paiements
				</h2>
				{payments.length === 0 && <p className="mt-2 text-soft">Rien n’a été payé pour cette commande.</p>}
				{payments.map((payment) => (
					<Payment key={payment.id} payment={payment} money={money} />
				))}
			</section>
			{refunds.length > 0 && (
				<section aria-labelledby="remboursements" className="mt-8">
					<h2 id="remboursements" className="text-xl">
						Remboursements
					</h2>
					<ol className="mt-2 divide-y divide-line border-y border-line">
						{refunds.map((refund) => (
							<RefundRow key={refund.id} refund={refund} />
						))}
					</ol>
				</section>
			)}
		</div>
	);
}

function Payment({ payment, money }: { payment: OrderMoney["payments"][number]; money: OrderMoney }) {
	const { id, role, paysOrder, amount, at, left, dispute } = payment;
	return (
		<div className="mt-3 grid gap-x-10 gap-y-4 lg:grid-cols-[minmax(0,4fr)_minmax(0,7fr)]">
			<div>
				<DescriptionList
					rows={[
						["Montant", amount],
						["Reçu le", at],
						["Rôle", role],
						[money.purchase && paysOrder ? "Reste à rembourser pour cette ligne" : "Reste à rembourser", left.text],
						[
							"Chez le prestataire",
							<span key="id" className="break-all">
								{id}
							</span>,
						],
					]}
				/>
				{dispute && (
					<Notice kind={dispute.status === "won" ? "done" : "failed"} className="mt-3">
						<p>
							{dispute.status === "open" ? "Contesté" : dispute.status === "won" ? "Contestation gagnée" : "Contestation perdue"}&nbsp;:{" "}
							{dispute.reason}.{dispute.status === "open" && dispute.due && ` Répondre avant ${dispute.due}.`}
						</p>
						<a href={href("/bureau/argent/:number/dossier.zip", { number: money.number })} download className={button("secondary", "mt-2")}>
							Dossier de preuves
						</a>
					</Notice>
				)}
			</div>
			{left.cents > 0 && dispute?.status !== "lost" && (
				<RefundForm
					key={`${id} ${left.cents}`}
					orderId={money.id}
					payment={{ id, left }}
					asksToStop={paysOrder && money.isOpen}
					approvalAbove={money.approvalAbove}
				/>
			)}
		</div>
	);
}

function RefundRow({ refund }: { refund: OrderMoney["refunds"][number] }) {
	const { id, amount, state, reason, cause, note, at, heldUntil, isUnsettled, isClosed } = refund;
	return (
		<li className="grid gap-x-6 gap-y-2 py-3 md:grid-cols-[1fr_auto]">
			<div className="min-w-0">
				<p>
					<span className="figures font-semibold">{amount}</span>, {cause ?? reason}
				</p>
				<p className="text-sm text-soft">
					<span className="figures">{at}</span>
					{note && <span className="block break-words whitespace-pre-line">Note interne&nbsp;: {note}</span>}
				</p>
				{isUnsettled && <SettleForm id={id} />}
			</div>
			<p className="text-sm">
				<Status kind={isClosed ? "done" : state.kind}>
					{isClosed ? "Réglé autrement" : heldUntil ? `Retenu jusqu’au ${heldUntil}` : state.label}
				</Status>
			</p>
		</li>
	);
}

function SettleForm({ id }: { id: string }) {
	return (
		<ActForm act="close-failed-refund" order={null} className="mt-2 max-w-form space-y-3">
			{({ busy, outcome }) => (
				<>
					<input type="hidden" name="refund" value={id} />
					<TextAreaField
						id={`note-${id}`}
						name="note"
						label="Réglé autrement"
						hint="Virement, chèque&nbsp;: la date et la référence. Sinon, recommencez avec le formulaire du paiement."
						rows={2}
						required
						error={findFieldError(outcome, "note")}
					/>
					<button type="submit" disabled={busy} className={button("secondary")}>
						Noter qu’il est réglé
					</button>
				</>
			)}
		</ActForm>
	);
}

/** The refusal of a customer's refund request, with the e-mail that the customer gets. */
function RefuseRequestForm({ orderId, number }: { orderId: string; number: string }) {
	const [answer, setAnswer] = useState("");
	return (
		<details className="mt-3">
			<summary className="min-h-11 content-center font-semibold">Refuser la demande</summary>
			<ActForm act="refuse-refund-request" order={orderId} className="mt-2 space-y-4">
				{({ busy, outcome }) => (
					<>
						<TextAreaField
							name="answer"
							label="Pourquoi"
							hint="Le client lit votre réponse telle quelle."
							rows={5}
							maxLength={2000}
							required
							value={answer}
							onChange={(event) => setAnswer(event.target.value)}
							error={findFieldError(outcome, "answer")}
						/>
						<section aria-label="Aperçu" className="space-y-2 border-l-2 border-line pl-4">
							<p className="label text-soft">L’e-mail du client</p>
							<p>
								Nous avons vérifié l’extrait que vous nous avez signalé. Nous ne pouvons pas accorder le remboursement demandé pour la
								commande <span className="figures">{number}</span>.
							</p>
							<blockquote className="border-l-2 border-line pl-4 break-words whitespace-pre-line">{answer || "Votre réponse"}</blockquote>
							<p>
								Si cette réponse ne vous satisfait pas, écrivez-nous. Si vous êtes un consommateur, vous pouvez aussi saisir gratuitement le
								médiateur.
							</p>
						</section>
						<button type="submit" disabled={busy} className={button("secondary")}>
							Refuser et répondre
						</button>
					</>
				)}
			</ActForm>
		</details>
	);
}
