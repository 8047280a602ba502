/** Shows the copy buttons (`<button hidden data-copy="…">`), which need JavaScript, and copies their value on a click. */
export function prepareCopyButtons(): void {
	if (!navigator.clipboard) return; // http on another host than localhost
	for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
		const label = button.textContent;
		button.hidden = false;
		button.addEventListener("click", async () => {
			await navigator.clipboard.writeText(button.dataset.copy ?? "");
			button.textContent = "Copié";
			setTimeout(() => {
				button.textContent = label;
			}, 2000);
		});
	}
}
