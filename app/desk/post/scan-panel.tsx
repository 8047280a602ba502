import { useEffect, useRef, useState } from "react";
import { href } from "react-router";
import { button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { Scanner } from "./start-scanner.ts";

/** The camera: each text that it reads goes to `onText`, whose answer is shown. */
export function ScanPanel({ onText }: { onText: (text: string) => string }) {
	const [state, setState] = useState<"closed" | "open" | "refused">("closed");
	const [read, setRead] = useState("");
	const video = useRef<HTMLVideoElement>(null);
	const receive = useRef(onText);
	receive.current = onText;
	useEffect(() => {
		if (state !== "open" || !video.current) return;
		let scanner: Scanner | undefined;
		let closed = false;
		const open = async (target: HTMLVideoElement) => {
			const { startScanner } = await import("./start-scanner.ts");
			const started = await startScanner(target, (text) => setRead(receive.current(text)));
			if (closed) started.stop();
			else scanner = started;
		};
		open(video.current).catch(() => setState("refused"));
		return () => {
			closed = true;
			scanner?.stop();
		};
	}, [state]);
	return (
		<div>
			<button type="button" className={button("secondary")} onClick={() => setState(state === "open" ? "closed" : "open")}>
				{state === "open" ? "Fermer la caméra" : "Lire les codes-barres"}
			</button>
			{state === "open" && (
				<div className="mt-3 max-w-80">
					<video ref={video} muted playsInline className="w-full rounded-md bg-shade" aria-label="Image de la caméra" />
				</div>
			)}
			<p role="status" className="mt-2 text-sm text-soft">
				{state === "open" && (read || "Présentez le code imprimé sur la lettre, puis celui du numéro de suivi.")}
			</p>
			{state === "refused" && (
				<Notice kind="warning" live className="mt-2">
					<p>
						La caméra ne s’ouvre pas. Autorisez-la pour ce site, puis{" "}
						<a href={href("/bureau/courrier")} className="link">
							rechargez la page
						</a>
						. Les numéros se saisissent aussi au clavier.
					</p>
				</Notice>
			)}
		</div>
	);
}
