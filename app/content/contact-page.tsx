import { href } from "react-router";
import { TextField } from "../ui/field.tsx";
import type { contactPage } from "./contact.ts";
import { fieldOf, MessagePage, type MessageShown } from "./message-page.tsx";

export function ContactPage(shown: MessageShown<typeof contactPage, "nom" | "email" | "message">) {
	const { text, refused } = shown;
	return (
		<MessagePage
			{...shown}
			action={href("/contact")}
			fieldsBefore={<TextField {...fieldOf(refused, "nom")} label={text.nameField} autoComplete="name" required />}
		/>
	);
}
