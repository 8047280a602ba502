import { browserSupportsWebAuthn, type PublicKeyCredentialRequestOptionsJSON, startAuthentication } from "@simplewebauthn/browser";
import { useState } from "react";
import { href } from "react-router";
import { button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { signInSentences } from "./sign-in-sentences.ts";

/** Signs in with a passkey: the browser asks for the finger, the face or the device's code. Needs JavaScript. */
export function PasskeyButton({ returnPath }: { returnPath: string }) {
	const [error, setError] = useState<string | null>(null);
	const hydrated = useHydrated();
	if (!hydrated || !browserSupportsWebAuthn()) return null;
	const signIn = async () => {
		setError(null);
		try {
			const challenge = await ask<{ ticket: string; options: PublicKeyCredentialRequestOptionsJSON }>({});
			const response = await startAuthentication({ optionsJSON: challenge.options });
			const { location, error: refusal } = await ask<{ location?: string; error?: string }>({
				ticket: challenge.ticket,
				response,
				vers: returnPath,
			});
			if (location) window.location.assign(location);
			else setError(refusal ?? signInSentences.passkey);
		} catch {
			setError(signInSentences.passkey); // the person cancelled, or there is no network
		}
	};
	return (
		<div className="mt-6 border-t border-line pt-6">
			<button type="button" className={button("secondary", "w-full")} onClick={signIn}>
				Utiliser une clé d’accès
			</button>
			{error && (
				<Notice kind="failed" live className="mt-4">
					<p>{error}</p>
				</Notice>
			)}
		</div>
	);
}

async function ask<Answer>(body: object): Promise<Answer> {
	const answer = await fetch(href("/bureau/connexion/cle"), {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify(body),
	});
	return answer.json();
}
