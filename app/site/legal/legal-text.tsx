import { Fragment } from "react";
import { Link } from "react-router";
import { StackedTable } from "#app/ui/tables/stacked-table.tsx";
import { type Inline, parseInline } from "#core/legal/inline.ts";
import type { LegalBlock, LegalDocument } from "#core/legal/legal-document.ts";
import styles from "./legal-text.module.css";

/** A text of law: its opening, and numbered sections that can each be linked to. */
export function LegalText({ of: { opening, sections } }: { of: LegalDocument }) {
  return (
    <div className={styles.text}>
      {opening.map((paragraph) => (
        <p key={paragraph} className={styles.opening}>
          <Words of={paragraph} />
        </p>
      ))}
      {sections.map(({ id, title, blocks }, index) => (
        <section key={id} aria-labelledby={id}>
          <div className={styles.heading}>
            <h2 id={id}>
              <span className={styles.number}>{index + 1}.</span> {title}
            </h2>
            <a className={styles.anchor} href={`#${id}`} aria-label={`Link to “${title}”`}>
              §
            </a>
          </div>
          {blocks.map((block) => (
            <Block key={JSON.stringify(block)} of={block} label={title} />
          ))}
        </section>
      ))}
    </div>
  );
}

function Block({ of: block, label }: { of: LegalBlock; label: string }) {
  if (typeof block === "string")
    return (
      <p>
        <Words of={block} />
      </p>
    );
  if ("list" in block)
    return (
      <ul>
        {block.list.map((entry) => (
          <li key={entry}>
            <Words of={entry} />
          </li>
        ))}
      </ul>
    );
  return (
    <StackedTable
      label={label}
      head={block.head}
      rows={block.rows}
      className={styles.table}
      show={(cell) => <Words of={cell} />}
    />
  );
}

/** The words of a paragraph with their links and names in code. */
function Words({ of }: { of: string }) {
  let at = 0;
  return parseInline(of).map((run) => {
    at += run.text.length;
    return <Fragment key={at}>{draw(run)}</Fragment>;
  });
}

function draw({ text, href, code }: Inline) {
  if (href?.startsWith("#")) return <a href={href}>{text}</a>;
  if (href) return <Link to={href}>{text}</Link>;
  return code ? <code>{text}</code> : text;
}
