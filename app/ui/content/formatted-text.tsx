import { Link } from "react-router";
import { type Inline, parseFormatted } from "#core/text/formatted-text.ts";

/** What operators write in simple formatting, as paragraphs, lists, strong words and links; each runs as its letters do. */
export function FormattedText({ source }: { source: string }) {
  return parseFormatted(source).map((block, index) =>
    block.kind === "paragraph" ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a text have no other name
      <p key={index} dir="auto">
        <Inlines inlines={block.inlines} />
      </p>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a text have no other name
      <ul key={index} dir="auto">
        {block.items.map((inlines, item) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the items of a list have no other name
          <li key={item}>
            <Inlines inlines={inlines} />
          </li>
        ))}
      </ul>
    ),
  );
}

function Inlines({ inlines }: { inlines: Inline[] }) {
  return inlines.map((inline, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: the runs of a paragraph have no other name
    if (inline.kind === "strong") return <strong key={index}>{inline.text}</strong>;
    if (inline.kind === "text") return inline.text;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the runs of a paragraph have no other name
      <Link key={index} to={inline.href}>
        {inline.text}
      </Link>
    );
  });
}
