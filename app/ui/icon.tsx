/** Line drawings on a grid of 24, in the colour of the text. */
const paths = {
	check: "M4.5 12.5 10 18 19.5 7",
	cross: "M6 6l12 12M18 6 6 18",
	clock: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM12 7.5V12l3 2.5",
	info: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM12 11v5.5M12 7.6v.2",
	alert: "M12 4 3 19.5h18L12 4ZM12 10v4.5M12 16.8v.2",
	search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13ZM15.3 15.3 20.5 20.5",
	arrow: "M4 12h15.5M13.5 6l6 6-6 6",
	chevron: "M6 9.5l6 6 6-6",
	menu: "M4 7h16M4 12h16M4 17h16",
	phone: "M6 3.5h3l1.5 4.5-2 1.5a12 12 0 0 0 6 6l1.5-2 4.5 1.5v3c0 1-.8 2-2 2C11 20 4 13 4 5.5c0-1.2.9-2 2-2Z",
	mail: "M3.5 6h17v12.5h-17ZM4 6.5l8 6.5 8-6.5",
	card: "M3.5 6h17v12.5h-17ZM3.5 10h17M7 15h4",
	cycle: "M19.5 12a7.5 7.5 0 0 1-13.2 4.9M4.5 12a7.5 7.5 0 0 1 13.2-4.9M6 20.5v-3.8h3.8M18 3.5v3.8h-3.8",
	document: "M6 3.5h8.5l4 4v13H6ZM14.5 3.5v4h4M9 12h6.5M9 15.5h6.5",
	parcel: "M3.5 7.5 12 3.5l8.5 4v9L12 20.5l-8.5-4ZM3.5 7.5 12 11.5l8.5-4M12 11.5v9",
	lock: "M6 11h12v9H6ZM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
} as const;

export type IconName = keyof typeof paths;

/** Decorative, because the text beside says the same. */
export function Icon({ name, className = "size-5" }: { name: IconName; className?: string }) {
	return (
		<svg
			viewBox="0 0 24 24"
			className={`shrink-0 ${className}`}
			fill="none"
			stroke="currentColor"
			strokeWidth="1.6"
			strokeLinecap="round"
			strokeLinejoin="round"
			aria-hidden="true"
		>
			<path d={paths[name]} />
		</svg>
	);
}
