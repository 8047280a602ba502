/** The lines of the logo, on a grid of 32: for pages, and for the pictures of e-mails, which have no React. */
export const logoPaths = {
	sheet: "M16.5 28H6.5V4h13.5l5.5 5.5V15",
	fold: "M20 4v5.5h5.5M10.5 12.5h6M10.5 17h4",
	seal: { cx: 22.5, cy: 22.5, r: 5.5 },
	check: "m20.2 22.6 1.7 1.7 3.1-3.5",
} as const;
