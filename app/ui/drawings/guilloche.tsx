import { useId } from "react";
import { createGuillochePath } from "./guilloche-path.ts";

const tile = { period: 48, height: 24 };
/** One period more than the tile shows, because the second braid begins a quarter early. */
const path = createGuillochePath({ ...tile, periods: 2 });

/** A band of guilloche: the texture of the head of a document. Never behind text. @param className its height and colour. */
export function Guilloche({ className = "h-6 text-line" }: { className?: string }) {
	const id = useId();
	return (
		<svg width="100%" className={`block ${className}`} aria-hidden="true">
			<pattern id={id} width={tile.period} height={tile.height} patternUnits="userSpaceOnUse">
				<path d={path} fill="none" stroke="currentColor" strokeWidth="0.6" />
			</pattern>
			<rect width="100%" height="100%" fill={`url(#${id})`} />
		</svg>
	);
}
