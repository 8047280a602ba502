/** The pictures at the head of each e-mail: the Content-ID by which its HTML shows them, and their size there in pixels. */
export const letterhead = {
	band: { cid: "guilloche@letterhead", width: 600, height: 12 },
	mark: { cid: "mark@letterhead", width: 28, height: 28 },
} as const;
