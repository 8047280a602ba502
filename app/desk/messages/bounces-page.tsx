import { href, Link } from "react-router";
import { shopContext } from "../../shop.ts";
import { button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { ActForm, findFieldError } from "../acts/act-form.tsx";
import { recordLook } from "../order/record-look.server.ts";
import { getActor } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/bounces-page";
import { type BouncedAddress, listBounces } from "./list-bounces.server.ts";
import { MessagesFrame } from "./messages-frame.tsx";

export { keepPage as shouldRevalidate } from "../shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "E-mails refusés – bureau" }];

export async function loader({ context }: Route.LoaderArgs) {
	const shop = context.get(shopContext);
	await recordLook(shop, getActor(context), "look-at-bounces", null);
	return listBounces(shop);
}

export { keepUnsentAct as clientAction } from "../acts/act-form.tsx";
export { answerActForm as action } from "../acts/answer-act-form.server.ts";

/** The addresses that refused e-mails, each with one field to correct it. */
export default function BouncesPage({ loaderData: { addresses, replies } }: Route.ComponentProps) {
	return (
		<MessagesFrame title="E-mails refusés">
			{addresses.length + replies.length === 0 && (
				<Notice kind="done" className="mt-8">
					<p>Aucun e-mail n’a été refusé.</p>
				</Notice>
			)}
			<ol className="mt-4 divide-y divide-line">
				{addresses.map((address) => (
					<li key={`${address.orderId} ${address.reader}`} className="py-5">
						<Address address={address} />
					</li>
				))}
			</ol>
			{replies.length > 0 && (
				<section aria-labelledby="reponses" className="mt-8">
					<h2 id="reponses" className="text-xl">
						Réponses refusées
					</h2>
					<ul className="mt-3 divide-y divide-line border-y border-line">
						{replies.map(({ id, subject, email, at, reason }) => (
							<li key={id} className="py-3 text-sm">
								<Link to={href("/bureau/messages/:id", { id })} className="link font-semibold">
									{subject}
								</Link>
								, à <span className="break-all">{email}</span>, le {at}
								<span className="block break-words text-soft">{reason}</span>
							</li>
						))}
					</ul>
				</section>
			)}
		</MessagesFrame>
	);
}

function Address({ address }: { address: BouncedAddress }) {
	const { orderId, orderNumber, company, customer, phone, reader, email, suggestion, mails } = address;
	return (
		<div className="grid gap-x-10 gap-y-3 md:grid-cols-2">
			<div className="min-w-0">
				<h2 className="font-sans text-base font-semibold break-words">{email}</h2>
				<p className="text-sm text-soft">
					{reader === "delivery" ? "Second destinataire" : customer},{" "}
					<Link to={href("/bureau/commandes/:number", { number: orderNumber })} className="link figures">
						{orderNumber}
					</Link>
					, {company}
					{phone && (
						<>
							,{" "}
							<a href={`tel:${phone.replace(/\s/g, "")}`} className="link figures whitespace-nowrap">
								{phone}
							</a>
						</>
					)}
				</p>
				<ul className="mt-2 space-y-1 text-sm">
					{mails.map(({ id, label, at, reason }) => (
						<li key={id}>
							{label}, le {at}
							<span className="block break-words text-soft">{reason}</span>
						</li>
					))}
				</ul>
			</div>
			{/* its answer stays in the column */}
			<div>
				<ActForm act="correct-bounced-address" order={orderId} className="space-y-3">
					{({ busy, outcome }) => (
						<>
							<input type="hidden" name="reader" value={reader} />
							<TextField
								id={`${orderId}-${reader}`}
								name="email"
								type="email"
								label="Adresse corrigée"
								hint={suggestion ? `Peut-être ${suggestion}` : undefined}
								defaultValue={suggestion ?? email}
								required
								error={findFieldError(outcome, "email")}
							/>
							<button type="submit" disabled={busy} className={button("secondary")}>
								Corriger et renvoyer<span className="sr-only"> ({orderNumber})</span>
							</button>
						</>
					)}
				</ActForm>
			</div>
		</div>
	);
}
