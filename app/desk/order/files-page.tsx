import { Form, href, Link, useNavigation } from "react-router";
import { shopContext } from "../../shop.ts";
import { button } from "../../ui/button.tsx";
import { Notice, Status } from "../../ui/notice.tsx";
import type { ActOutcome } from "../acts/act.ts";
import { ActForm, keepUnsentAct } from "../acts/act-form.tsx";
import { answerActForm } from "../acts/answer-act-form.server.ts";
import { useFileQueue } from "../files/file-queue.tsx";
import { keepUnsent, readUnsentForm } from "../shell/keep-page.ts";
import { readDeskForm } from "../shell/read-desk-form.server.ts";
import { getActor } from "../shell/signed-in.server.ts";
import { useLastAnswer } from "../shell/use-last-answer.ts";
import type { Route } from "./+types/files-page";
import { deliverAll } from "./deliver-all.server.ts";
import { type DroppedFileRow, listDroppedFiles } from "./list-dropped-files.server.ts";
import { receiveFiles } from "./receive-file.server.ts";
import { type FilesAnswer, notKept } from "./upload-answer.ts";

export { keepPage as shouldRevalidate } from "../shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Fichiers – bureau" }];

export async function loader({ context }: Route.LoaderArgs) {
	return { files: await listDroppedFiles(context.get(shopContext), getActor(context)) };
}

/** Files to sort, « Tout livrer », or the form of an act on one of them. */
export async function action(args: Route.ActionArgs): Promise<FilesAnswer | ActOutcome> {
	const { request, context } = args;
	const [shop, actor] = [context.get(shopContext), getActor(context)];
	if (isUpload(request)) return receiveFiles(shop, actor, request);
	const form = await readDeskForm(request.clone());
	return form.get("do") === "deliver-all" ? deliverAll(shop, actor, form) : answerActForm(args);
}

/** When nothing was read, the page and its chosen files stay. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs): Promise<FilesAnswer | ActOutcome> {
	const form = isUpload(request) ? null : await readUnsentForm(request);
	if (form?.has("act")) return keepUnsentAct({ request, serverAction });
	return keepUnsent(
		() => serverAction(),
		(why, sentence) => ({ lines: [], text: why === "failed" && form === null ? `${sentence} ${notKept}` : sentence }),
	);
}

const isUpload = ({ headers }: Request) => headers.get("content-type")?.startsWith("multipart/form-data") === true;

export default function FilesRoute({ loaderData, actionData }: Route.ComponentProps) {
	return <FilesPage {...loaderData} answer={useLastAnswer(actionData && "lines" in actionData ? actionData : undefined)} />;
}

/** Several files at once: each finds its order by the SIREN inside. */
function FilesPage({ files, answer }: { files: readonly DroppedFileRow[]; answer: FilesAnswer | undefined }) {
	const { lines, add, isOver } = useFileQueue();
	return (
		<div className={`mx-auto max-w-page rounded-lg ${isOver ? "bg-shade" : ""}`}>
			<h1 className="text-2xl">Fichiers</h1>
			<p className="mt-1 max-w-reading text-soft">
				Glissez vos extraits n’importe où sur cette page, ou choisissez-les&nbsp;: 10&nbsp;Mo au plus chacun. Chacun rejoint la commande de
				son entreprise, la plus pressée d’abord. Rien n’est envoyé avant «&nbsp;Livrer&nbsp;».
			</p>
			<noscript>
				<p className="mt-1 max-w-reading text-soft">Sans JavaScript, déposez au plus vingt fichiers à la fois, 40&nbsp;Mo en tout.</p>
			</noscript>
			<Form
				method="post"
				encType="multipart/form-data"
				className="mt-5 flex flex-wrap items-center gap-3"
				onSubmit={(event) => {
					// sent one by one, they have no limit together
					event.preventDefault();
					add([...(event.currentTarget.querySelector("input")?.files ?? [])]);
					event.currentTarget.reset();
				}}
			>
				<label>
					<span className="sr-only">Extraits au format PDF</span>
					<input
						type="file"
						name="file"
						accept=".pdf,application/pdf"
						multiple
						required
						className="block w-full text-sm file:mr-3 file:min-h-11 file:rounded-md file:border file:border-edge file:bg-sheet file:px-4 file:font-semibold"
					/>
				</label>
				<button type="submit" className={button()}>
					Déposer
				</button>
			</Form>
			{lines.length > 0 && <SortedLines answer={{ lines: [...lines], text: null }} />}
			{answer && <SortedLines answer={answer} />}
			{files.length === 0 ? (
				<p className="mt-8 text-soft">Aucun fichier déposé n’attend d’être livré.</p>
			) : (
				<>
					<div className="mt-8 flex flex-wrap items-end justify-between gap-x-8 gap-y-2">
						<h2 className="text-xl">À livrer</h2>
						<DeliverAll files={files} />
					</div>
					<ul className="mt-3 divide-y divide-line border-y border-line">
						{files.map((file) => (
							<DroppedFile key={file.id} file={file} />
						))}
					</ul>
				</>
			)}
		</div>
	);
}

/** Delivers every file that needs nothing but a click; the others are opened one by one. */
function DeliverAll({ files }: { files: readonly DroppedFileRow[] }) {
	const isSending = useNavigation().formData?.get("do") === "deliver-all";
	const ready = files.filter(({ ready, requested }) => ready && !requested);
	if (ready.length < 2) return null;
	return (
		<Form method="post" preventScrollReset>
			<input type="hidden" name="do" value="deliver-all" />
			{ready.map(({ id, key }) => (
				<input key={id} type="hidden" name="fichier" value={`${id} ${key}`} />
			))}
			<button type="submit" disabled={isSending} className={button()}>
				Tout livrer <span className="font-normal">({ready.length} fichiers sans remarque)</span>
			</button>
		</Form>
	);
}

/** What became of each file of the last drop, or of « Tout livrer ». */
function SortedLines({ answer }: { answer: FilesAnswer }) {
	return (
		<div role="status" className="mt-6 space-y-2">
			{answer.text && (
				<Notice kind="failed">
					<p>{answer.text}</p>
				</Notice>
			)}
			{answer.lines.map(({ fileName, ok, text, orders }, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name
				<Notice key={index} kind={ok ? "done" : "failed"}>
					<p className="break-words">
						<span className="font-semibold">{fileName}</span>&nbsp;: {text}{" "}
						{orders.map((number) => (
							<Link key={number} className="link figures mr-3" to={href("/bureau/commandes/:number", { number })}>
								{number}
							</Link>
						))}
					</p>
				</Notice>
			))}
		</div>
	);
}

function DroppedFile({ file }: { file: DroppedFileRow }) {
	const { number, company, reference } = file.order;
	return (
		<li className="flex flex-wrap items-start justify-between gap-x-8 gap-y-2 py-3">
			<div className="min-w-0">
				<p>
					<Link className="link figures" to={href("/bureau/commandes/:number", { number })}>
						{number}
					</Link>{" "}
					<span className="font-semibold">{company}</span>
					{reference && <span className="break-words">, {reference}</span>}
				</p>
				<p className="text-sm break-words text-soft">
					{file.fileName}, le {file.droppedAt}
					{file.promise && `. Promise ${file.promise}`}
				</p>
				<ul className="mt-1 text-sm">
					{file.checks.map(({ kind, text }) => (
						<li key={text}>
							<Status kind={kind}>{text}</Status>
						</li>
					))}
				</ul>
				{!file.open && <p className="text-sm">Cette commande n’attend plus d’extrait.</p>}
			</div>
			<div>
				{file.ready && !file.requested ? (
					<ActForm act="deliver" order={file.order.id}>
						<input type="hidden" name="draft" value={file.id} />
						<button type="submit" className={button("secondary")}>
							Livrer<span className="sr-only"> {number}</span>
						</button>
					</ActForm>
				) : (
					<Link className={button("secondary")} to={href("/bureau/commandes/:number", { number })}>
						{file.requested ? "Livraison demandée" : "Voir la commande"}
						<span className="sr-only"> {number}</span>
					</Link>
				)}
			</div>
		</li>
	);
}
