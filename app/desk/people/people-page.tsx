import { useState } from "react";
import { shopContext } from "../../shop.ts";
import { button } from "../../ui/button.tsx";
import { CheckboxField, TextField } from "../../ui/field.tsx";
import { nameWithOf } from "../../ui/name-with-of.ts";
import { Notice } from "../../ui/notice.tsx";
import { ActForm } from "../acts/act-form.tsx";
import { type Role, roleLabels, roles } from "../operators/roles.ts";
import { getSignedIn } from "../shell/signed-in.server.ts";
import type { Route } from "./+types/people-page";
import { listPeople, type Person } from "./list-people.server.ts";

export { keepPage as shouldRevalidate } from "../shell/keep-page.ts";

export const meta: Route.MetaFunction = () => [{ title: "Équipe – bureau" }];

export async function loader({ context }: Route.LoaderArgs) {
	const { operator } = getSignedIn(context);
	return { me: operator.id, ...(await listPeople(context.get(shopContext))) };
}

export { keepUnsentAct as clientAction } from "../acts/act-form.tsx";
export { answerActForm as action } from "../acts/answer-act-form.server.ts";

/** Who may use the desk, and who is invited. */
export default function PeoplePage({ loaderData: { me, people, invitations } }: Route.ComponentProps) {
	const [cancelled, setCancelled] = useState<string>();
	const [present, gone] = [people.filter(({ leftAt }) => leftAt === null), people.filter(({ leftAt }) => leftAt !== null)];
	return (
		<div className="mx-auto max-w-page">
			<h1 className="text-2xl">Équipe</h1>
			<ul className="mt-6 divide-y divide-line border-y border-line">
				{present.map((person) => (
					<li key={person.id} className="py-4">
						<PersonRow person={person} isMe={person.id === me} />
					</li>
				))}
			</ul>
			{cancelled && (
				<Notice kind="done" live className="mt-6">
					<p>{cancelled}</p>
				</Notice>
			)}
			{invitations.length > 0 && (
				<>
					<h2 className="mt-10 text-xl">Invitations en attente</h2>
					<ul className="mt-3 divide-y divide-line border-y border-line">
						{invitations.map(({ id, name, email, expiresAt, invitedBy }) => (
							<li key={id} className="flex flex-wrap items-center justify-between gap-x-6 py-3">
								<span>
									{name}, {email}, jusqu’au {expiresAt}, par {invitedBy}
								</span>
								<div>
									<ActForm act="cancel-invitation" order={null} onDone={({ text }) => setCancelled(text)}>
										<input type="hidden" name="invitation" value={id} />
										<button type="submit" className={button("quiet")}>
											Annuler<span className="sr-only"> l’invitation {nameWithOf(name)}</span>
										</button>
									</ActForm>
								</div>
							</li>
						))}
					</ul>
				</>
			)}
			<section aria-labelledby="inviter" className="mt-10 max-w-form">
				<h2 id="inviter" className="text-xl">
					Inviter une personne
				</h2>
				<p className="mt-1 text-sm text-soft">
					Une personne qui a perdu son mot de passe ou son téléphone reçoit de la même façon un nouvel accès, qui remplace l’ancien.
				</p>
				<ActForm act="invite" order={null} className="mt-4 space-y-4">
					{({ busy, outcome }) => (
						<>
							<TextField name="name" label="Nom" required maxLength={100} error={findError(outcome, "name")} />
							<TextField name="email" type="email" label="E-mail" required error={findError(outcome, "email")} />
							<RoleFields id="invite" granted={["serve"]} />
							<button type="submit" disabled={busy} className={button()}>
								Envoyer l’invitation
							</button>
						</>
					)}
				</ActForm>
			</section>
			{gone.length > 0 && (
				<>
					<h2 className="mt-10 text-xl">Accès fermés</h2>
					<ul className="mt-3 text-sm text-soft">
						{gone.map(({ id, name, leftAt }) => (
							<li key={id}>
								{name}, le {leftAt}
							</li>
						))}
					</ul>
				</>
			)}
		</div>
	);
}

const findError = (outcome: { state: string; field?: string; text: string } | undefined, field: string) =>
	outcome?.state === "refused" && outcome.field === field ? outcome.text : undefined;

function PersonRow({ person, isMe }: { person: Person; isMe: boolean }) {
	return (
		<>
			<h2 className="font-sans text-base font-semibold">
				{person.name}
				{isMe && " (vous)"}
			</h2>
			<p className="text-sm text-soft">
				{person.email}, depuis le {person.joinedAt}
				{!person.hasSecondFactor && ", second facteur à préparer"}
			</p>
			<ActForm act="change-roles" order={null} className="mt-2 flex flex-wrap items-center gap-x-6">
				<input type="hidden" name="person" value={person.id} />
				<RoleFields id={person.id} granted={person.roles} />
				<button type="submit" className={button("secondary")}>
					Enregistrer<span className="sr-only"> les rôles {nameWithOf(person.name)}</span>
				</button>
			</ActForm>
			<div className="flex flex-wrap gap-x-6">
				<ActForm act="end-sessions" order={null}>
					<input type="hidden" name="person" value={person.id} />
					<button type="submit" className={button("quiet")}>
						Terminer ses sessions<span className="sr-only"> ({person.name})</span>
					</button>
				</ActForm>
				{!isMe && (
					<ActForm act="end-operator" order={null}>
						<input type="hidden" name="person" value={person.id} />
						<button type="submit" className={button("quiet")}>
							Fermer l’accès<span className="sr-only"> {nameWithOf(person.name)}</span>
						</button>
					</ActForm>
				)}
			</div>
		</>
	);
}

function RoleFields({ id, granted }: { id: string; granted: readonly Role[] }) {
	return (
		<fieldset className="flex flex-wrap gap-x-6">
			<legend className="sr-only">Rôles</legend>
			{roles.map((role) => (
				<CheckboxField
					key={role}
					id={`${id}-${role}`}
					name={`role-${role}`}
					label={roleLabels[role]}
					defaultChecked={granted.includes(role)}
				/>
			))}
		</fieldset>
	);
}
