import { logoPaths } from "./logo-paths.ts";

/** The logo of the shop: a sheet, its folded corner, a seal. The name beside it is configured. */
export function Logo({ className = "size-8" }: { className?: string }) {
	return (
		<svg
			viewBox="0 0 32 32"
			className={className}
			fill="none"
			stroke="currentColor"
			strokeWidth="1.6"
			strokeLinejoin="round"
			strokeLinecap="round"
			aria-hidden="true"
		>
			<path d={logoPaths.sheet} />
			<path d={logoPaths.fold} />
			<circle {...logoPaths.seal} className="fill-accent stroke-accent" />
			<path d={logoPaths.check} className="stroke-on-accent" />
		</svg>
	);
}
