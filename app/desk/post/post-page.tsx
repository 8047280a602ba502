import { useRef } from "react";
import { href, useActionData, useFetcher, useRouteLoaderData } from "react-router";
import { shopContext } from "../../shop.ts";
import { button } from "../../ui/button.tsx";
import { TextAreaField, TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { keepUnsentAct } from "../acts/act-form.tsx";
import { answerActForm } from "../acts/answer-act-form.server.ts";
import { recordLook } from "../order/record-look.server.ts";
import { TimeLeft, useClock } from "../queue/time-left.tsx";
import { keepUnsent, readUnsentForm, shutOutSentence } from "../shell/keep-page.ts";
import { SignInElsewhere } from "../shell/kept-notice.tsx";
import { readDeskForm } from "../shell/read-desk-form.server.ts";
import { deskHeaders, getActor, getSignedIn } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/post-page";
import { answerPostForm } from "./answer-post.server.ts";
import type { LetterRow } from "./post.store.server.ts";
import { readPost } from "./read-post.server.ts";
import { ScanPanel } from "./scan-panel.tsx";
import { LetterName, ToPrint } from "./to-print.tsx";
import { askedField, fieldName, type PostAnswer, placeScan } from "./typed-numbers.ts";

export { keepPage as shouldRevalidate } from "../shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Courrier – bureau" }];

/** The camera reads tracking numbers, on this page only. */
export const headers = () => ({
	...deskHeaders,
	"permissions-policy": "camera=(self), geolocation=(), microphone=(), payment=(), usb=()",
});

export async function loader({ context }: Route.LoaderArgs) {
	const { operator } = getSignedIn(context);
	const shop = context.get(shopContext);
	await recordLook(shop, getActor(context), "look-at-letters", null);
	return readPost(shop, operator.id);
}

export async function action(args: Route.ActionArgs) {
	const form = await readDeskForm(args.request.clone());
	return form.has("act") ? answerActForm(args) : answerPostForm(args);
}

/** Numbers that were not read stay in their fields. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
	const form = await readUnsentForm(request);
	if (form.has("act")) return keepUnsentAct({ request, serverAction });
	return keepUnsent(
		() => serverAction(),
		(_why, sentence) => ({ key: "unsent", numbers: [], lines: [], asked: [], sentence }) satisfies PostAnswer,
	);
}

/** The post: to print, to post with their tracking numbers, posted today. */
export default function PostPage({ loaderData: { now: readAt, toPrint, runs, printed, posted } }: Route.ComponentProps) {
	const now = useClock(readAt);
	return (
		<div className="mx-auto max-w-page space-y-10">
			<h1 className="text-2xl">Courrier</h1>
			<ToPrint letters={toPrint} runs={runs} now={now} />
			<ToPost letters={printed} now={now} />
			<section aria-labelledby="postes">
				<h2 id="postes" className="text-xl">
					Postés aujourd’hui <span className="figures text-soft">{posted.length}</span>
				</h2>
				{posted.length === 0 ? (
					<p className="mt-2 text-soft">Rien n’a encore été posté aujourd’hui.</p>
				) : (
					<ul className="mt-2 divide-y divide-line border-y border-line">
						{posted.map((letter) => (
							<li key={letter.id} className="flex flex-wrap items-baseline justify-between gap-x-6 py-2">
								<LetterName letter={letter} />
								<span className="figures">{letter.trackingNumber}</span>
							</li>
						))}
					</ul>
				)}
			</section>
		</div>
	);
}

/** The form of the buttons « Réimprimer »: a sheet is lost, or the printer jammed. */
const reprintForm = "reimprimer";

/** One form for all tracking numbers of the day: typed, pasted or read by the camera. */
function ToPost({ letters, now }: { letters: readonly LetterRow[]; now: Date }) {
	const fetcher = useFetcher<PostAnswer>();
	const sent = useActionData<typeof action>();
	const answer = fetcher.data ?? (sent && "numbers" in sent ? sent : undefined);
	const form = useRef<HTMLFormElement>(null);
	const hydrated = useHydrated();
	const key = useRouteLoaderData<{ formKey: string }>("desk")?.formKey ?? "";
	const busy = fetcher.state !== "idle";
	// the list that was not read stays in its field
	const listKey = useRef<string>(undefined);
	if (answer && !answer.unsent) listKey.current = answer.key;
	const refused = new Map(answer?.numbers.filter(({ ok }) => !ok).map((number) => [number.orderId, number]));
	return (
		<section aria-labelledby="poster">
			<h2 id="poster" className="text-xl">
				À poster <span className="figures text-soft">{letters.length}</span>
			</h2>
			{answer && !busy && <Answer answer={answer} />}
			{letters.length === 0 ? (
				<p className="mt-2 text-soft">Rien à poster&nbsp;: aucun courrier imprimé n’attend son numéro de suivi.</p>
			) : (
				<>
					{/* not inside the other form: the browser saves its answer */}
					<form id={reprintForm} method="post" action={href("/bureau/courrier/lettres")} />
					<fetcher.Form ref={form} method="post" className="mt-2">
						<input type="hidden" name="key" value={key} />
						{answer?.asked.map((number) => (
							<input key={number} type="hidden" name={askedField} value={number} />
						))}
						<p className="text-sm text-soft">
							Saisissez les numéros de suivi, ou lisez-les avec la caméra, puis notez-les tous à la fois&nbsp;: chaque client est alors
							prévenu que son courrier est posté.
						</p>
						{hydrated && "mediaDevices" in navigator && (
							<div className="mt-3">
								<ScanPanel onText={(text) => placeScan(form.current, letters, text)} />
							</div>
						)}
						<ul className="mt-3 divide-y divide-line border-y border-line">
							{letters.map((letter) => (
								<li key={letter.id} className="grid items-center gap-x-6 gap-y-2 py-3 md:grid-cols-[minmax(0,1fr)_8rem_20rem_auto]">
									<LetterName letter={letter} />
									<TimeLeft dueAt={new Date(letter.dueAt)} now={now} />
									<TextField
										name={fieldName(letter.id)}
										label={
											<>
												Numéro de suivi<span className="sr-only"> de {letter.number}</span>
											</>
										}
										defaultValue={refused.get(letter.id)?.typed}
										error={busy ? undefined : refused.get(letter.id)?.text}
										autoComplete="off"
										autoCapitalize="characters"
										spellCheck={false}
										maxLength={60}
									/>
									<button
										type="submit"
										form={reprintForm}
										name="orders"
										value={letter.id}
										className={button("quiet", "justify-self-start")}
									>
										Réimprimer<span className="sr-only"> le courrier {letter.number}</span>
									</button>
								</li>
							))}
						</ul>
						<TextAreaField
							key={listKey.current}
							name="liste"
							label="Ou collez une liste"
							hint="Une ligne par courrier&nbsp;: le numéro de la commande ou du courrier, et le numéro de suivi."
							defaultValue={answer?.lines.map(({ line }) => line).join("\n")}
							rows={4}
							optional
							className="mt-6 max-w-form"
						/>
						<button type="submit" className={button("primary", "mt-4")} aria-disabled={busy}>
							Noter les numéros
						</button>
					</fetcher.Form>
				</>
			)}
		</section>
	);
}

/** What became of the numbers: the accepted ones counted, each refused line with its sentence. */
function Answer({ answer: { numbers, lines, unsent, sentence } }: { answer: PostAnswer }) {
	if (unsent)
		return (
			<Notice kind="warning" live className="mt-3">
				<p>
					{unsent === "offline" ? "Pas de réseau." : unsent === "shut-out" ? shutOutSentence : sentence} Les numéros saisis restent
					ici&nbsp;: envoyez-les de nouveau {unsent === "offline" ? "quand le réseau revient." : "ensuite."}
				</p>
				{unsent === "shut-out" && <SignInElsewhere />}
			</Notice>
		);
	const accepted = numbers.filter(({ ok }) => ok).length;
	const refused = numbers.length - accepted + lines.length;
	return (
		<Notice kind={refused > 0 ? "warning" : "done"} live className="mt-3">
			<p>
				{accepted === 0 && refused === 0
					? "Aucun numéro de suivi n’est saisi."
					: [
							accepted > 0 &&
								`${accepted} courrier${accepted > 1 ? "s postés" : " posté"}, ${accepted > 1 ? "les clients sont prévenus" : "le client est prévenu"}.`,
							refused > 0 && `${refused} numéro${refused > 1 ? "s refusés" : " refusé"}.`,
						]
							.filter(Boolean)
							.join(" ")}
			</p>
			{lines.length > 0 && (
				<ul className="mt-1 text-sm">
					{lines.map(({ line, text }) => (
						<li key={line}>
							«&nbsp;{line}&nbsp;»&nbsp;: {text}
						</li>
					))}
				</ul>
			)}
		</Notice>
	);
}
