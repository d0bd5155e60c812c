export default function Home() {
  return <h1>One heading</h1>;
}
