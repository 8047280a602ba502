import { useEffect, useRef, useState } from "react";

/** Takes files dropped anywhere on the page. @returns whether files are over it now. */
export function usePageDrop(take: ((files: readonly File[]) => void) | null): boolean {
	const [isOver, setOver] = useState(false);
	const current = useRef(take);
	current.current = take;
	useEffect(() => {
		const takesFiles = (event: DragEvent) => current.current !== null && event.dataTransfer?.types.includes("Files") === true;
		const onOver = (event: DragEvent) => {
			if (!takesFiles(event)) return;
			event.preventDefault();
			setOver(true);
		};
		const onLeave = (event: DragEvent) => {
			if (event.relatedTarget === null) setOver(false);
		};
		const onDrop = (event: DragEvent) => {
			if (!takesFiles(event)) return;
			// otherwise the browser opens the file in place of the page
			event.preventDefault();
			setOver(false);
			current.current?.([...(event.dataTransfer?.files ?? [])]);
		};
		addEventListener("dragover", onOver);
		addEventListener("dragleave", onLeave);
		addEventListener("drop", onDrop);
		return () => {
			removeEventListener("dragover", onOver);
			removeEventListener("dragleave", onLeave);
			removeEventListener("drop", onDrop);
		};
	}, []);
	return isOver;
}
