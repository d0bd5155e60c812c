import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { ChevronLeft, ChevronRight } from "#app/ui/icons.tsx";
import styles from "./data-table.module.css";
import { withParams } from "./list-params.ts";
import { pageNumbers } from "./page-numbers.ts";

interface PaginationProps {
  page: number;
  show: number;
  total: number;
}

/** Links to the pages of a list, `?page=2`, with a count: '11–20 of 34'. */
export function Pagination({ page, show, total }: PaginationProps) {
  const [params] = useSearchParams();
  const pages = Math.max(1, Math.ceil(total / show));
  const first = total === 0 ? 0 : (page - 1) * show + 1;
  return (
    <nav className={styles.pages} aria-label="Pages">
      <span className={styles.summary}>
        {first}–{Math.min(total, page * show)} of {total}
      </span>
      {pages > 1 ? (
        <ul className={styles.links}>
          {pageNumbers(page, pages).map((n, index) => (
            <li key={n ?? `gap-${index}`}>
              {n === null ? (
                <span className={styles.page}>…</span>
              ) : (
                <Link
                  to={withParams(params, { page: n === 1 ? null : n })}
                  className={styles.page}
                  aria-label={`Page ${n}`}
                  aria-current={n === page ? "page" : undefined}
                  preventScrollReset
                >
                  {n}
                </Link>
              )}
            </li>
          ))}
        </ul>
      ) : null}
    </nav>
  );
}

interface OlderNewerProps {
  /** Keys of the neighbouring pages of a long list; null at its ends. */
  after: string | null;
  before?: string | null;
  children?: ReactNode;
}

/** Links to the older and newer part of a list that is too long to number: `?after=key`. */
export function OlderNewer({ after, before, children }: OlderNewerProps) {
  const [params] = useSearchParams();
  const started = params.has("after") || params.has("before");
  return (
    <nav className={styles.pages} aria-label="Pages">
      <span className={styles.summary}>{children}</span>
      <div className={styles.links}>
        {started ? (
          <Link
            to={withParams(params, { after: null, before: before ?? null })}
            className={styles.page}
          >
            <span>
              <ChevronLeft size={14} aria-hidden="true" /> {before ? "Newer" : "Newest"}
            </span>
          </Link>
        ) : null}
        {after ? (
          <Link to={withParams(params, { after, before: null })} className={styles.page}>
            <span>
              Older <ChevronRight size={14} aria-hidden="true" />
            </span>
          </Link>
        ) : null}
      </div>
    </nav>
  );
}
