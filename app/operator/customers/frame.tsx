import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import tabs from "../parts/tabs.module.css";
import { useMay } from "../parts/use-may.ts";
import styles from "./frame.module.css";
import type { CustomerHeader } from "./read-customer-header.ts";
import { customerSections } from "./sections.ts";
import { StandingFlags } from "./standing-flags.tsx";

/** A section of a customer's page below who it is, what colleagues flagged, and the other sections. */
export function CustomerFrame({ frame, children }: { frame: CustomerHeader; children: ReactNode }) {
  const { customer, frozen, flags, has } = frame;
  const may = useMay();
  const { pathname } = useLocation();
  const root = `/operator/customers/${customer.id}`;
  const here = pathname.replace(/\/$/, "");
  const shown = customerSections.filter(
    ({ needs, once }) => may(needs) && (once === undefined || has[once]),
  );
  return (
    <>
      <PageHeader
        title={customer.name}
        description={
          <span className={styles.who}>
            {customer.email}
            {frozen ? (
              <>
                <StatusBadge status="frozen" tone="bad" />
                <Link to={`${root}/access`}>Why, and opening it again</Link>
              </>
            ) : null}
          </span>
        }
      />
      <nav className={tabs.tabs} aria-label="Sections of this customer">
        {shown.map(({ name, path }) => (
          <Link
            key={path}
            to={root + path}
            className={tabs.tab}
            aria-current={here === root + path ? "page" : undefined}
          >
            {name}
          </Link>
        ))}
      </nav>
      <StandingFlags flags={flags} customerId={customer.id} />
      {children}
    </>
  );
}
