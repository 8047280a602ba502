const shape =
	"inline-flex min-h-11 items-center justify-center gap-2 rounded-md py-2 text-center font-semibold no-underline transition-colors disabled:cursor-not-allowed disabled:opacity-55 aria-disabled:cursor-not-allowed aria-disabled:opacity-55 print:hidden";

const looks = {
	/** The main action of a page. Its border shows in a reader’s own colours, which have no fills. */
	primary: "border border-accent bg-accent px-4 text-on-accent hover:bg-accent-strong",
	/** Other actions and links. */
	secondary: "border px-4 border-edge bg-sheet text-ink hover:border-ink hover:bg-shade",
	/** A button that reads like a link. */
	quiet: "underline decoration-1 underline-offset-[0.2em] hover:text-accent hover:decoration-2",
} as const;

/** The class of a `<button>` or of an `<a>`: at least 44 px high. `more` adds layout only (width, margin). */
export function button(look: keyof typeof looks = "primary", more = ""): string {
	return `${shape} ${looks[look]} ${more}`.trim();
}
