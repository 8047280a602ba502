import { Words } from "../content/text-page.tsx";
import { button } from "../ui/button.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { TextField } from "../ui/field.tsx";
import { HoneypotField } from "../ui/honeypot-field.tsx";
import { Notice } from "../ui/notice.tsx";
import { Section } from "../ui/page.tsx";

/** An address that was sent and not taken. `limited`: nothing is wrong with it, too many came. */
export interface RefusedEmail {
	email: string;
	sentence: string;
	limited: boolean;
}

interface Asked {
	text: { formHeading: string; field: string; hint: string; consent: string; button: string };
	/** Where the form goes. */
	action: string;
	refused: RefusedEmail | undefined;
}

/** Asks for an e-mail address and nothing else, with the words that are agreed to. */
export function EmailForm({ text, action, refused }: Asked) {
	const wrong = refused?.limited === false ? refused.sentence : undefined;
	return (
		<Section title={text.formHeading}>
			{wrong && <ErrorSummary errors={[{ field: "email", message: wrong }]} />}
			{refused?.limited && <Notice kind="failed" title={refused.sentence} live className="mb-8" />}
			<form method="post" action={action} noValidate className="grid gap-5 print:hidden">
				<TextField
					name="email"
					type="email"
					autoComplete="email"
					required
					label={text.field}
					hint={text.hint}
					error={wrong}
					defaultValue={refused?.email}
				/>
				<HoneypotField />
				<p className="text-sm text-soft">
					<Words text={text.consent} />
				</p>
				<div>
					<button type="submit" className={button()}>
						{text.button}
					</button>
				</div>
			</form>
		</Section>
	);
}
