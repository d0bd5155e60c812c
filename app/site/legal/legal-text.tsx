import type { LegalBlock, LegalDocument } from "#core/legal/legal-document.ts";
import styles from "./legal-text.module.css";
import { Words } from "./words.tsx";

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
  return <Table head={block.head} rows={block.rows} label={label} />;
}

/** On a phone each row becomes a block of its own, its columns named in front. */
function Table({ head, rows, label }: { head: string[]; rows: string[][]; label: string }) {
  return (
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr>
          {head.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells) => (
          <tr key={cells.join()}>
            {cells.map((cell, column) =>
              column === 0 ? (
                <th key={head[column]} scope="row">
                  <Words of={cell} />
                </th>
              ) : (
                <td key={head[column]} data-head={head[column]}>
                  <Words of={cell} />
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
