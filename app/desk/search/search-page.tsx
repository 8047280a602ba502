import { useEffect, useRef } from "react";
import { Form, useNavigation } from "react-router";
import { formatLongDay } from "../../catalogue/instants.ts";
import { getShortName } from "../../catalogue/services.ts";
import { cancelledLabel, statusLabels } from "../../orders/lifecycle.ts";
import { button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { ListedOrder } from "../order/listed-order.tsx";
import { keepUnsent, readUnsentForm } from "../shell/keep-page.ts";
import { useKeys, useRowKeys } from "../shell/use-keys.ts";
import { useLastAnswer } from "../shell/use-last-answer.ts";
import type { Route } from "./+types/search-page";
import type { FoundRow, SearchAnswer } from "./found-orders.ts";

export { keepPage as shouldRevalidate } from "../shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Rechercher – bureau" }];

export const loader = () => null;

export { answerSearch as action } from "./answer-search.server.ts";

export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
	const typed = String((await readUnsentForm(request)).get("q") ?? "");
	return keepUnsent(
		() => serverAction(),
		(_why, sentence) => ({ typed, state: "unsent" as const, sentence }),
	);
}

export default function SearchRoute({ actionData }: Route.ComponentProps) {
	return <SearchPage answer={useLastAnswer(actionData)} />;
}

/** One field that finds orders by all that people know of them. */
function SearchPage({ answer }: { answer: SearchAnswer | undefined }) {
	const field = useRef<HTMLInputElement>(null);
	const isSearching = useNavigation().state === "submitting";
	useEffect(() => field.current?.focus(), []);
	useKeys({ "/": () => field.current?.focus() });
	return (
		<div className="mx-auto max-w-page">
			<h1 className="text-2xl">Rechercher une commande</h1>
			<Form method="post" className="mt-4 flex flex-wrap items-end gap-4">
				<TextField
					ref={field}
					type="search"
					name="q"
					label="Numéro, nom, e-mail, téléphone, société"
					hint="Ou SIREN, référence du client, numéro de facture, de courrier ou de suivi, identifiant du paiement. Le début d’un mot suffit."
					defaultValue={answer?.typed}
					maxLength={200}
					autoComplete="off"
					spellCheck={false}
					enterKeyHint="search"
					className="min-w-0 flex-1 basis-80"
					onKeyDown={(event) => {
						if (event.key !== "ArrowDown") return;
						event.preventDefault();
						document.querySelector<HTMLAnchorElement>("a[data-row]")?.focus();
					}}
					error={answer?.state === "too-short" ? "Écrivez au moins deux caractères." : undefined}
				/>
				<button type="submit" className={button("primary")} aria-disabled={isSearching}>
					Rechercher
				</button>
			</Form>
			{answer?.state === "unsent" && !isSearching && (
				<Notice kind="warning" live className="mt-6">
					<p>{answer.sentence}</p>
				</Notice>
			)}
			{answer?.state === "found" && <Found answer={answer} />}
		</div>
	);
}

function Found({ answer: { rows, more } }: { answer: Extract<SearchAnswer, { state: "found" }> }) {
	const list = useRowKeys();
	return (
		<>
			<p role="status" className="mt-6 text-soft">
				{rows.length === 0
					? "Aucune commande trouvée. Essayez un autre mot, ou une partie du numéro."
					: more
						? `Les ${rows.length} commandes les plus récentes. Ajoutez un mot pour en voir moins.`
						: `${rows.length} commande${rows.length > 1 ? "s" : ""}.`}
			</p>
			<ul ref={list} className="mt-2 divide-y divide-line">
				{rows.map((row) => (
					<Row key={row.id} row={row} />
				))}
			</ul>
		</>
	);
}

function Row({ row }: { row: FoundRow }) {
	return (
		<li className="grid gap-x-6 py-2 focus-within:bg-shade hover:bg-shade md:grid-cols-[minmax(0,1fr)_minmax(0,14rem)_11rem_10rem] md:items-center md:px-2">
			<div className="min-w-0">
				<ListedOrder row={row} path={row.path} />
			</div>
			<div className="min-w-0">{row.customer || <span className="text-soft">client effacé</span>}</div>
			<div className="text-sm">
				{getShortName(row.service)}
				{" · "}
				{row.isCancelled ? cancelledLabel : statusLabels[row.status]}
			</div>
			<time dateTime={row.createdAt} className="figures text-sm text-soft">
				{formatLongDay(new Date(row.createdAt))}
			</time>
		</li>
	);
}
