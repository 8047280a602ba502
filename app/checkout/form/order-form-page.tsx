import { useState } from "react";
import { Form, href, useNavigation, useNavigationType } from "react-router";
import { Breadcrumb } from "../../ui/breadcrumb.tsx";
import { button } from "../../ui/button.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { Icon } from "../../ui/icon.tsx";
import { KbisNeedLink } from "../../ui/kbis-need-link.tsx";
import { Page, Title } from "../../ui/page.tsx";
import { PrivateService } from "../../ui/private-service.tsx";
import { SeveralLink } from "../../ui/several-link.tsx";
import { Steps } from "../../ui/steps.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";
import type { FormPageData } from "./describe-form.server.ts";
import { type Draft, loadDraft } from "./draft.ts";
import { LaterFormFields, LaterFormSummary } from "./fields/later-form-fields.tsx";
import { FormNoticeList } from "./form-notice-list.tsx";
import type { FormNotice } from "./form-notices.ts";
import { type FormPage, type FormState, noFindings } from "./form-state.ts";
import type { CheckedLine } from "./lines/checked-line.ts";
import { ListMessages } from "./lines/list-messages.tsx";
import { useListPlace } from "./use-list-place.ts";
import { type OrderFormStart, useOrderForm } from "./use-order-form.ts";

interface OrderFormPageProps {
	/** The form as its page is opened. */
	start: FormPageData;
	/** The company is in the page's URL and cannot be changed. */
	fixed: boolean;
	/** False: the service is only suggested, and must be confirmed. */
	serviceGiven: boolean;
	/** What the server says of the link: of its service, of its stored form. */
	notices: readonly FormNotice[];
	/** What is said of it before it is sent: the payment has led back to it. */
	findings: Partial<FormState>;
	/** The result of the last submit. */
	answer: FormPage | undefined;
}

/**
 * The order form of all entries: with one line, which is open, or with a list. Its fields are uncontrolled: a restored draft or a new
 * result remounts them.
 */
export function OrderFormPage({ start, fixed, serviceGiven, notices, findings, answer }: OrderFormPageProps) {
	const fillFrom = ({ values, company, reference = "" }: Draft) => ({
		values: { ...start.values, ...values, ...(fixed && { siren: start.values.siren, service: start.values.service }) },
		company: fixed ? null : company,
		// that of another company stays with it
		lines: fixed && company?.siren !== start.lines[0]?.siren ? start.lines : start.lines.map((line) => setReference(line, reference)),
	});
	// the back button of the payment page: the browser draws the form anew, and the customer expects what they typed
	const drawnHere = useHydrated();
	const cameBack = useNavigationType() === "POP" && drawnHere && !start.hasList;
	const [draft, setDraft] = useState(() => {
		const saved = cameBack ? loadDraft() : null;
		return saved && { ...fillFrom(saved), asked: false };
	});
	const shown = answer ?? { ...start, ...noFindings, ...findings, ...(draft && { values: draft.values, lines: draft.lines, id: "draft" }) };
	const place = useListPlace();
	const company = shown.hasList ? null : ((answer ? null : draft?.company) ?? shown.lines[0]?.company ?? null);
	return (
		<OrderForm
			key={shown.id}
			page={shown}
			company={company}
			fixed={fixed}
			serviceGiven={serviceGiven || answer !== undefined || draft !== null}
			notices={answer ? [] : notices}
			offersDraft={!answer && !draft && start.values.email === ""}
			restored={!answer && draft?.asked === true}
			place={place}
			onRestore={(saved) => setDraft({ ...fillFrom(saved), asked: true })}
		/>
	);
}

const setReference = (checked: CheckedLine, reference: string): CheckedLine => ({ ...checked, line: { ...checked.line, reference } });

interface OrderFormProps extends OrderFormStart {
	fixed: boolean;
	notices: readonly FormNotice[];
	/** Offers the draft of an earlier visit. */
	offersDraft: boolean;
	onRestore: (draft: Draft) => void;
}

function OrderForm({ fixed, notices, offersDraft, onRestore, ...start }: OrderFormProps) {
	const { form, errors, summary, company, orderable, services, serviceConfirmed, draft, doubtful, ...handlers } = useOrderForm(start);
	const { page } = start;
	const { hasList } = page;
	const offered = offersDraft ? draft.offered : null;
	const { lines: listError, ...fieldErrors } = summary;
	const summarised = Object.entries(fieldErrors).map(([field, message]) => ({ field, message }));
	return (
		<Page width="page" className={`max-sm:pt-5 ${offered ? "pb-28" : ""}`}>
			<OrderHeader hasList={hasList} asksForCompany={!hasList && !fixed} meansOfPayment={page.meansOfPayment} />
			<ErrorSummary errors={listError ? [{ field: "entreprises-titre", message: listError }, ...summarised] : summarised} />
			<FormNotices refusal={page.refusal} notices={notices.filter(({ unless }) => unless === undefined || unless !== services.common)} />
			<ListMessages messages={page.messages} />
			{offered && <DraftNotice onRestore={() => onRestore(offered)} onDelete={draft.delete} />}
			<div className="grid gap-10 lg:grid-cols-[minmax(0,1fr)_22rem]">
				<Form
					ref={form}
					id="commande"
					method="post"
					noValidate
					className="min-w-0 max-sm:[&_h2]:mb-3 max-sm:[&_section]:pt-5 max-sm:[&_section]:pb-6"
					onInput={({ target }) => target instanceof Element && handlers.edited(target.getAttribute("name") ?? "")}
					onSubmit={handlers.submit}
				>
					{/* Enter presses it, in any field: it updates a list, and never removes a line (use-order-form.ts) */}
					<button type="submit" name={hasList ? "intent" : undefined} value="update" hidden />
					<LaterFormFields
						ready={handlers.ready}
						drawnHere={handlers.drawnHere}
						part={{
							page,
							errors,
							doubtful,
							company,
							fixed,
							place: start.place,
							services,
							serviceConfirmed,
							remembered: handlers.remembered,
							lastIdentity: handlers.lastIdentity,
							onPick: handlers.chooseCompany,
							onConfirmService: handlers.confirmService,
							onFill: handlers.fill,
							onEdit: handlers.edited,
							onDeleteRemembered: handlers.deleteRemembered,
						}}
					/>
					<SubmitBar draftSaved={draft.saved} assurances={page.assurances} />
					<PrivateService className="mt-8" />
				</Form>
				<aside
					id="resume"
					aria-label="Résumé de commande"
					className="hidden rounded-lg border border-line bg-sheet p-6 lg:sticky lg:top-32 lg:block lg:self-start"
				>
					<h2 className="mb-4 text-lg">Résumé de commande</h2>
					<LaterFormSummary ready={handlers.ready} drawnHere={handlers.drawnHere} part={{ page, services, orderable, fixed }} />
				</aside>
			</div>
		</Page>
	);
}

const titles = {
	line: { step: "Informations client", place: "Informations", title: "Finaliser votre commande KBIS" },
	list: { step: "Liste et coordonnées", place: "Plusieurs extraits", title: "Commander plusieurs extraits" },
};

function OrderHeader(page: { hasList: boolean; asksForCompany: boolean; meansOfPayment: string }) {
	const { step, place, title } = titles[page.hasList ? "list" : "line"];
	return (
		<>
			<div className="max-sm:-mb-3">
				<Steps current={1} title={step} />
			</div>
			<div className="max-sm:hidden">
				<Breadcrumb places={[{ label: "Accueil", href: href("/") }, { label: "Commander", href: href("/commande") }, { label: place }]} />
			</div>
			<div className="max-sm:-mb-3 max-sm:[&_h1]:text-xl">
				<Title>{title}</Title>
			</div>
			{page.asksForCompany && (
				<div className="-mt-4 mb-6">
					<KbisNeedLink />
					<SeveralLink />
				</div>
			)}
			<p className="mb-3 text-sm text-soft">{page.meansOfPayment}</p>
		</>
	);
}

/** What the server says of a form without wrong fields. */
function FormNotices({ refusal, notices }: { refusal: string | null; notices: readonly FormNotice[] }) {
	const refused = refusal ? [{ kind: "failed" as const, title: refusal, text: "Votre saisie est conservée." }] : [];
	return <FormNoticeList notices={[...refused, ...notices]} />;
}

function SubmitBar({ draftSaved, assurances }: { draftSaved: boolean; assurances: readonly string[] }) {
	const busy = useNavigation().state !== "idle";
	return (
		<>
			<div className="flex flex-wrap items-center gap-4">
				<button type="submit" className={button("primary", "max-sm:w-full")} disabled={busy}>
					{busy ? "Traitement en cours..." : "Continuer vers le paiement"}
				</button>
				<span role="status" className="text-sm text-soft">
					{draftSaved && "✓ Brouillon enregistré"}
				</span>
			</div>
			<ul className="mt-4 flex flex-wrap gap-x-8 gap-y-2 text-sm text-soft">
				{assurances.map((assurance) => (
					<li key={assurance} className="inline-flex items-center gap-2">
						<Icon name="lock" /> {assurance}
					</li>
				))}
			</ul>
		</>
	);
}

/** Offers the draft of an earlier visit at the foot of the window: visible wherever the browser has scrolled to. */
function DraftNotice({ onRestore, onDelete }: { onRestore: () => void; onDelete: () => void }) {
	return (
		<div role="status" className="fixed inset-x-0 bottom-0 z-10 border-t border-edge bg-sheet">
			<div className="mx-auto flex max-w-page items-center gap-x-4 px-5 py-2 sm:gap-x-6 sm:px-8">
				<p className="min-w-0 font-semibold max-sm:flex-1 max-sm:text-sm max-sm:leading-tight">Reprendre votre brouillon&nbsp;?</p>
				<button type="button" className={button("primary")} onClick={onRestore}>
					Reprendre
				</button>
				<button type="button" className={button("quiet", "max-sm:text-sm")} onClick={onDelete}>
					<span>
						Supprimer<span className="max-sm:sr-only"> le brouillon</span>
					</span>
				</button>
			</div>
		</div>
	);
}
