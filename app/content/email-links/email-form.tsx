import { button } from "../../ui/button.tsx";
import { ErrorSummary } from "../../ui/error-summary.tsx";
import { HoneypotField, TextField } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Section } from "../../ui/page.tsx";
import { InlineContent } from "../content-blocks.tsx";
import { getParagraph, type Section as TextSection } from "../text.ts";

/** A refused e-mail address. `limited`: the address is valid, but there were too many requests. */
export interface RefusedEmail {
	email: string;
	sentence: string;
	limited: boolean;
}

interface EmailFormProps {
	/** The heading of the form, and the paragraph to which the visitor consents. */
	section: TextSection;
	/** The label of the button. */
	submit: string;
	/** The URL that receives the form. */
	action: string;
	refused: RefusedEmail | undefined;
}

/** A form with one e-mail address and the text to which the visitor consents. */
export function EmailForm({ section, submit, action, refused }: EmailFormProps) {
	const error = refused?.limited === false ? refused.sentence : undefined;
	return (
		<Section title={section.heading}>
			{error && <ErrorSummary errors={[{ field: "email", message: error }]} />}
			{refused?.limited && <Notice kind="failed" title={refused.sentence} live className="mb-8" />}
			<form method="post" action={action} noValidate className="grid gap-5 print:hidden">
				<TextField
					name="email"
					type="email"
					autoComplete="email"
					required
					label="Votre adresse e-mail"
					hint={"Par exemple\u00a0: prenom.nom@exemple.fr"}
					error={error}
					defaultValue={refused?.email}
				/>
				<HoneypotField />
				<p className="text-sm text-soft">
					<InlineContent text={getParagraph(section)} />
				</p>
				<div>
					<button type="submit" className={button()}>
						{submit}
					</button>
				</div>
			</form>
		</Section>
	);
}
