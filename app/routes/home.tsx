export const handle = { scripts: false };

export default function Home() {
	return <h1>ExtraitPro</h1>;
}
