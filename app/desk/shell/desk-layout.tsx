import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { href, NavLink, useLocation, useNavigate } from "react-router";
import { button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Logo } from "../../ui/logo.tsx";
import { Notice } from "../../ui/notice.tsx";
import { HealthButton, HealthProblems } from "../health/health-line.tsx";
import type { ShopHealth } from "../health/shop-health.ts";
import { useHealth } from "../health/use-health.ts";
import { HeldBanner } from "../money/held-banner.tsx";
import type { Role } from "../operators/roles.ts";
import { type DeskPage, deskPages, mayOpen, searchPage } from "./desk-pages.ts";
import type { KeptPage } from "./keep-reading.ts";
import { KeptNotice } from "./kept-notice.tsx";
import { PageKeysContext, useDeskKeys, useLetterKeys } from "./use-keys.ts";

interface DeskLayoutProps {
	operator: { name: string; roles: readonly Role[] };
	/** As the page was read with; null while the first result is awaited. */
	health: ShopHealth | null;
	/** The refunds that the brake holds, for those who may let them go; null when there are none. */
	held: string | null;
	/** Why the page still shows what it showed before its last reading. */
	kept?: KeptPage;
	children: ReactNode;
}

/** The frame of every page of the desk: menu, health of the shop, operator, keys. */
export function DeskLayout({ operator, health: readHealth, held, kept, children }: DeskLayoutProps) {
	const pages = deskPages.filter((page) => page.inMenu && mayOpen(page, operator.roles));
	const [showsKeys, showKeys] = useState(false);
	const health = useHealth(readHealth);
	const { go, asked } = useGo();
	const menu = useRef<HTMLElement>(null);
	const { pathname, key } = useLocation();
	const keptBecause = kept?.key === key ? kept.why : null;
	// on a telephone, the menu scrolls sideways
	useEffect(() => {
		const current = pathname && menu.current?.querySelector('[aria-current="page"]');
		if (current) current.scrollIntoView({ block: "nearest", inline: "center" });
	}, [pathname]);
	const [areLettersOn, switchLetters] = useLetterKeys();
	const menuKeys = {
		"?": () => showKeys(true),
		...(mayOpen(searchPage, operator.roles) && { "/": () => go(searchPage.path) }),
		...Object.fromEntries(pages.flatMap(({ key, path }) => (key ? [[`g ${key}`, () => go(path)]] : []))),
	};
	const pageKeys = useDeskKeys(menuKeys, areLettersOn);
	return (
		<>
			<a
				href="#contenu"
				className="absolute top-2 left-2 z-20 -translate-y-20 rounded-md bg-ink px-4 py-2.5 text-paper focus:translate-y-0"
			>
				Aller au contenu
			</a>
			<header className="border-b border-line bg-sheet print:hidden">
				<div className="px-4 sm:px-6">
					<div className="mx-auto max-w-page">
						<div className="flex items-center justify-between gap-x-3">
							<NavLink
								to={pages[0]?.path ?? href("/bureau/mon-acces")}
								className="flex min-h-11 shrink-0 items-center gap-2 font-serif text-lg font-medium"
							>
								<Logo className="size-6" />
								Bureau
							</NavLink>
							<div className="flex min-w-0 items-center gap-x-2 text-sm sm:gap-x-4">
								<HealthButton health={health} />
								<button
									type="button"
									className="min-h-11 min-w-11 text-soft max-md:hidden"
									onClick={() => showKeys(true)}
									aria-label="Raccourcis clavier"
								>
									<kbd>?</kbd>
								</button>
								<NavLink to={href("/bureau/mon-acces")} className="inline-flex min-h-11 min-w-0 items-center gap-1.5">
									<Icon name="lock" className="size-4.5 max-sm:hidden" />
									<span className="truncate">{operator.name}</span>
								</NavLink>
								<form method="post" action={href("/bureau/deconnexion")}>
									<button type="submit" className={button("quiet")}>
										Quitter
									</button>
								</form>
							</div>
						</div>
						<nav ref={menu} aria-label="Bureau" className="-mx-4 flex overflow-x-auto px-2 sm:-mx-6 sm:px-4 lg:-mx-2 lg:px-0">
							{pages.map(({ path, label }) => (
								<NavLink
									key={path}
									to={path}
									className="inline-flex min-h-11 shrink-0 items-center px-2 text-sm aria-[current=page]:font-semibold aria-[current=page]:underline aria-[current=page]:underline-offset-[0.4em]"
								>
									{label}
								</NavLink>
							))}
						</nav>
					</div>
				</div>
			</header>
			<HealthProblems health={health} />
			<HeldBanner held={held} />
			{(asked || keptBecause) && (
				<div className="px-4 pt-4 sm:px-6">
					<div className="mx-auto max-w-page space-y-3">
						{asked && <OfflineNotice />}
						{keptBecause && <KeptNotice why={keptBecause} />}
					</div>
				</div>
			)}
			<main id="contenu" tabIndex={-1} className="px-4 py-6 outline-none sm:px-6">
				<PageKeysContext value={pageKeys}>{children}</PageKeysContext>
			</main>
			<KeyList open={showsKeys} onClose={() => showKeys(false)} pages={pages} areLettersOn={areLettersOn} onSwitch={switchLetters} />
		</>
	);
}

/** Says that a page waits for the network. */
function OfflineNotice() {
	return (
		<Notice kind="warning" live>
			<p>Pas de réseau. La page demandée s’ouvre dès qu’il revient&nbsp;; celle-ci reste telle quelle.</p>
		</Notice>
	);
}

/**
 * Opens pages of the desk. Without network the page on the screen stays, because the browser would show its error in place of what was
 * typed; the page that was asked for by a link or by `go` opens when the network is back.
 * @returns `asked`: the address that waits for the network.
 */
function useGo(): { go: (address: string) => void; asked: string | null } {
	const navigate = useNavigate();
	const [asked, setAsked] = useState<string | null>(null);
	const go = useCallback(
		(address: string) => {
			if (navigator.onLine === false) setAsked(address);
			else void navigate(address);
		},
		[navigate],
	);
	useEffect(() => {
		const onClick = (event: MouseEvent) => {
			if (navigator.onLine || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
			const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>("a[href]");
			if (
				!link ||
				link.origin !== location.origin ||
				link.pathname + link.search === location.pathname + location.search ||
				link.hasAttribute("download") ||
				link.target
			)
				return;
			event.preventDefault();
			event.stopPropagation();
			setAsked(link.pathname + link.search);
		};
		// before the framework's own handler
		addEventListener("click", onClick, { capture: true });
		return () => removeEventListener("click", onClick, { capture: true });
	}, []);
	useEffect(() => {
		if (asked === null) return;
		const open = () => {
			setAsked(null);
			void navigate(asked);
		};
		addEventListener("online", open, { once: true });
		return () => removeEventListener("online", open);
	}, [asked, navigate]);
	return { go, asked };
}

/** The keys of the queue and of an order; those of the menu follow from its pages. */
const keys = [
	["n", "Prendre la commande suivante"],
	["p", "Prendre la commande ouverte"],
	["t", "Noter l’extrait demandé au greffe"],
	["d", "Livrer l’extrait déposé"],
	["c, Maj c", "Copier le SIREN, sans ou avec espaces"],
	["/", "Rechercher"],
	["j, k", "Ligne suivante, ligne précédente"],
	["Entrée", "Ouvrir la ligne"],
	["?", "Cette liste"],
] as const;

interface KeyListProps {
	open: boolean;
	onClose: () => void;
	pages: readonly DeskPage[];
	areLettersOn: boolean;
	onSwitch: (on: boolean) => void;
}

/** The list of keys, as a dialog, and the switch that turns them off. */
function KeyList({ open, onClose, pages, areLettersOn, onSwitch }: KeyListProps) {
	const dialog = useRef<HTMLDialogElement>(null);
	useEffect(() => {
		if (open && !dialog.current?.open) dialog.current?.showModal();
	}, [open]);
	const rows = [...keys, ...pages.flatMap(({ key, label }) => (key ? [[`g puis ${key}`, label] as const] : []))];
	return (
		<dialog
			ref={dialog}
			onClose={onClose}
			aria-labelledby="touches"
			className="m-auto max-w-form rounded-lg border border-line bg-sheet p-6 text-ink backdrop:bg-ink/40"
		>
			<h2 id="touches" className="text-xl">
				Raccourcis clavier
			</h2>
			<dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 text-sm">
				{rows.map(([key, label]) => (
					<div key={key} className="contents">
						<dt>
							<kbd>{key}</kbd>
						</dt>
						<dd>{label}</dd>
					</div>
				))}
			</dl>
			<label className="mt-5 flex min-h-11 items-center gap-3 text-sm">
				<input
					type="checkbox"
					className="check"
					checked={areLettersOn}
					onChange={(event) => onSwitch(event.target.checked)}
					aria-describedby="touches-note"
				/>
				Les touches agissent
			</label>
			<p id="touches-note" className="text-sm text-soft">
				Décochez pour dicter ou pour éviter une touche pressée par erreur. Ce choix reste dans ce navigateur.
			</p>
			<form method="dialog" className="mt-5">
				<button type="submit" className={button("secondary")}>
					Fermer
				</button>
			</form>
		</dialog>
	);
}
