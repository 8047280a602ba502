/** A registered name in ink. Capitals are set a little smaller and wider, because the register writes nothing else. */
export function CompanyName({ name }: { name: string }) {
	return <span className={`company-name ${name === name.toUpperCase() ? "text-[0.9em] tracking-[0.015em]" : ""}`}>{name}</span>;
}
