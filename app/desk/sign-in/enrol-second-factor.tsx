import { Form, href } from "react-router";
import { encode } from "uqr";
import { TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { DoorButton } from "./sign-in-frame.tsx";

interface EnrolProps {
	/** otpauth://… */
	uri: string;
	recoveryCodes: readonly string[];
	/** The two above, signed: a wrong code shows them again. */
	kept: string;
	error?: string | undefined;
}

/** The authenticator's QR code, the recovery codes, and the first code as a proof that both work. */
export function EnrolSecondFactor({ uri, recoveryCodes, kept, error }: EnrolProps) {
	const secret = new URL(uri).searchParams.get("secret") ?? "";
	return (
		<>
			<p>Dans votre application d’authentification, ajoutez un compte et lisez ce code.</p>
			<QrCode text={uri} />
			<p className="text-sm text-soft">
				Ou saisissez cette clé&nbsp;: <span className="figures font-semibold break-all text-ink">{secret.match(/.{1,4}/g)?.join(" ")}</span>
			</p>
			<h2 className="mt-8 text-lg">Codes de secours</h2>
			<p className="mt-1 text-sm">Sans votre téléphone, chacun ouvre le bureau une fois. Ils ne sont montrés qu’ici&nbsp;: notez-les.</p>
			<ul className="figures mt-3 grid grid-cols-2 gap-x-6 border border-line bg-sheet p-4">
				{recoveryCodes.map((code) => (
					<li key={code}>{code}</li>
				))}
			</ul>
			<Form method="post" action={href("/bureau/second-facteur")} className="mt-8">
				<input type="hidden" name="step" value="confirm" />
				<input type="hidden" name="kept" value={kept} />
				<TextField
					name="code"
					label="Le code à six chiffres que montre l’application"
					inputMode="numeric"
					autoComplete="one-time-code"
					required
					maxLength={12}
					error={error}
				/>
				<div className="mt-5">
					<DoorButton>Ouvrir le bureau</DoorButton>
				</div>
			</Form>
			<Notice className="mt-6">
				<p className="text-sm">
					L’application donne un nouveau code toutes les 30&nbsp;secondes. L’heure de votre téléphone doit être juste.
				</p>
			</Notice>
		</>
	);
}

/** A QR code (ISO/IEC 18004), drawn as one path; four modules of white stand around it. */
function QrCode({ text }: { text: string }) {
	const { data, size } = encode(text, { border: 4 });
	const modules = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
	return (
		<svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label="Code QR pour l’application d’authentification" className="my-4 w-56">
			<path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
			<path fill="#000" shapeRendering="crispEdges" d={modules.join("")} />
		</svg>
	);
}
