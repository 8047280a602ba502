import { browserSupportsWebAuthn, type PublicKeyCredentialCreationOptionsJSON, startRegistration } from "@simplewebauthn/browser";
import { useState } from "react";
import { Form, href, useRevalidator } from "react-router";
import { button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";

export interface ShownPasskey {
	id: string;
	name: string;
	since: string;
	usedAt: string | null;
}

/** One's own passkeys, and the button that adds this device. */
export function Passkeys({ passkeys }: { passkeys: readonly ShownPasskey[] }) {
	const [answer, setAnswer] = useState<{ ok: boolean; text: string } | null>(null);
	const { revalidate } = useRevalidator();
	const hydrated = useHydrated();
	const add = async () => {
		try {
			const begun = await ask<{ ticket: string; options: PublicKeyCredentialCreationOptionsJSON } | { ok: false; text: string }>({});
			if ("ok" in begun) return setAnswer(begun);
			const { ticket, options } = begun;
			const response = await startRegistration({ optionsJSON: options });
			setAnswer(await ask<{ ok: boolean; text: string }>({ ticket, response }));
			await revalidate();
		} catch {
			setAnswer({ ok: false, text: "La clé d’accès n’a pas été créée. Réessayez, ou continuez avec votre mot de passe et votre code." });
		}
	};
	return (
		<section aria-labelledby="cles" className="mt-10">
			<h2 id="cles" className="text-xl">
				Clés d’accès
			</h2>
			<p className="mt-1 text-sm text-soft">
				Votre doigt, votre visage ou le code de l’appareil ouvrent alors le bureau, sans mot de passe ni code à six chiffres.
			</p>
			{passkeys.length > 0 && (
				<ul className="mt-3 divide-y divide-line border-y border-line">
					{passkeys.map(({ id, name, since, usedAt }) => (
						<li key={id} className="flex flex-wrap items-center justify-between gap-x-6 py-2 text-sm">
							<span>
								{name}
								<span className="block text-soft">
									depuis le {since}
									{usedAt && `, utilisée le ${usedAt}`}
								</span>
							</span>
							<Form method="post">
								<input type="hidden" name="do" value="delete-passkey" />
								<input type="hidden" name="passkey" value={id} />
								<button type="submit" className={button("quiet")}>
									Supprimer<span className="sr-only"> {name}</span>
								</button>
							</Form>
						</li>
					))}
				</ul>
			)}
			{answer && (
				<Notice kind={answer.ok ? "done" : "failed"} live className="mt-4">
					<p>{answer.text}</p>
				</Notice>
			)}
			{hydrated && browserSupportsWebAuthn() ? (
				<button type="button" className={button("secondary", "mt-4")} onClick={add}>
					Ajouter cet appareil
				</button>
			) : (
				<noscript>
					<p className="mt-3 text-sm">Ajouter un appareil demande JavaScript.</p>
				</noscript>
			)}
		</section>
	);
}

async function ask<Answer>(body: object): Promise<Answer> {
	const answer = await fetch(href("/bureau/mon-acces/cle"), {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify(body),
	});
	return answer.json();
}
