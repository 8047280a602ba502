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
			<path d="M16.5 28H6.5V4h13.5l5.5 5.5V15" />
			<path d="M20 4v5.5h5.5M10.5 12.5h6M10.5 17h4" />
			<circle cx="22.5" cy="22.5" r="5.5" className="fill-accent stroke-accent" />
			<path d="m20.2 22.6 1.7 1.7 3.1-3.5" className="stroke-on-accent" />
		</svg>
	);
}
