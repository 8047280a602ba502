import { typedEntries } from "../../../server/types/objects.ts";
import { FieldMessages } from "../../ui/field.tsx";
import { type AlertChoices, alertTopics, frequencyLabels } from "./alert-choices.ts";

interface AlertFieldsProps {
	choices: AlertChoices;
	/** Distinguishes the fields of several forms on a page. */
	idPrefix?: string;
	/** The problem with the topics and its solution. */
	topicError?: string | undefined;
}

/** How often an alert is sent, and of which notices. */
export function AlertFields({ choices, idPrefix = "", topicError }: AlertFieldsProps) {
	const topicId = `${idPrefix}topic`;
	return (
		<>
			<fieldset>
				<legend className="mb-1 font-semibold">À quel rythme&nbsp;?</legend>
				{typedEntries(frequencyLabels).map(([value, label]) => (
					<Choice key={value} type="radio" name="frequency" value={value} id={`${idPrefix}${value}`} checked={value === choices.frequency}>
						{label}
					</Choice>
				))}
			</fieldset>
			<fieldset aria-describedby={topicError && `${topicId}-error`}>
				<legend className="mb-1 font-semibold">Quelles annonces&nbsp;?</legend>
				<FieldMessages name={topicId} label="Quelles annonces" error={topicError} />
				{typedEntries(alertTopics).map(([value, { label }], index) => (
					<Choice
						key={value}
						type="checkbox"
						name="topic"
						value={value}
						// the error summary links to the first
						id={index === 0 ? topicId : `${topicId}-${value}`}
						checked={choices.topics.includes(value)}
					>
						{label}
					</Choice>
				))}
			</fieldset>
		</>
	);
}

interface ChoiceProps {
	type: "radio" | "checkbox";
	name: string;
	value: string;
	id: string;
	checked: boolean;
	children: string;
}

function Choice({ type, checked, children, ...input }: ChoiceProps) {
	return (
		<label htmlFor={input.id} className="flex min-h-11 items-start gap-3 py-2">
			<input type={type} {...input} defaultChecked={checked} className={type === "radio" ? "radio mt-1" : "check mt-0.5"} />
			{children}
		</label>
	);
}
