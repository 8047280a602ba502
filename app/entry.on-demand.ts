/**
 * The script of public pages with a form or a copy button (`handle = { scripts: "on-demand" }`). It stays small: React is loaded when
 * the search form is first used. Everything works without it.
 */
const refreshRuntime = "/@id/__x00__virtual:react-router/inject-hmr-runtime";

const searchForm = document.getElementById("recherche-entreprise");
if (searchForm) loadOnFirstUse(searchForm);
const serviceForm = document.querySelector<HTMLFormElement>("form[data-order]");
if (serviceForm) prepareServiceForm(serviceForm);
prepareCopyButtons();

function loadOnFirstUse(container: HTMLElement): void {
	const use = new AbortController();
	const load = async () => {
		use.abort();
		// without its code, for example in a page older than the shop’s last version, the form works as a plain one
		await start().catch(() => field?.removeAttribute("role"));
	};
	const start = async () => {
		// in development, React’s modules expect the runtime that <Scripts> would have loaded
		if (import.meta.env.DEV) await import(/* @vite-ignore */ refreshRuntime);
		const { startSearch } = await import("./companies/search/start-search.tsx");
		startSearch(container);
	};
	// what it will be: screen readers announce it before it is used
	const field = container.querySelector("input[type=search]");
	for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false" }))
		field?.setAttribute(name, value);
	for (const event of ["focusin", "pointerdown", "input"]) container.addEventListener(event, load, { signal: use.signal });
	// a quick user was here before this script
	if (container.contains(document.activeElement) || isChanged(container)) load();
}

/** Whether a field has another value than in the server's page. */
function isChanged(container: HTMLElement): boolean {
	const options = [...container.querySelectorAll("option")];
	const inputs = [...container.querySelectorAll("input")];
	return (
		options.some(({ selected, defaultSelected }) => selected !== defaultSelected) ||
		inputs.some((input) => input.checked !== input.defaultChecked || input.value !== input.defaultValue)
	);
}

/** The button waits for a choice (docs/rules.md, R10) and leads to the order form directly. */
function prepareServiceForm(form: HTMLFormElement): void {
	const order = form.dataset.order ?? form.action;
	form.action = order;
	form.querySelector("[name=choisir]")?.remove();
	const buttons = document.querySelectorAll<HTMLButtonElement>(`button[form="${form.id}"], #${form.id} button[type=submit]`);
	const update = () => {
		for (const button of buttons) button.disabled = form.querySelector(":checked") === null;
	};
	form.addEventListener("change", update);
	// after « back », the browser restores the choice after this script
	addEventListener("pageshow", update);
	update();
}

/** Shows the copy buttons (`<button hidden data-copy="…">`), which need JavaScript, and copies their value on a click. */
function prepareCopyButtons(): void {
	if (!navigator.clipboard) return; // http on another host than localhost
	for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
		const label = [...button.childNodes];
		button.hidden = false;
		button.addEventListener("click", async () => {
			const copied = await navigator.clipboard.writeText(button.dataset.copy ?? "").then(
				() => true,
				() => false, // refused by the user
			);
			button.replaceChildren(copied ? "Copié" : "Copie refusée");
			setTimeout(() => button.replaceChildren(...label), 2000);
		});
	}
}
