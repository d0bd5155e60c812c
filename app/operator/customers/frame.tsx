import type { ReactNode } from "react";
import { Link } from "react-router";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import layout from "#app/ui/page/layout.module.css";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { type Tab, Tabs } from "../parts/tabs.tsx";
import type { CustomerHeader } from "./read-customer-header.ts";
import { customerSections } from "./sections.ts";
import { StandingFlags } from "./standing-flags.tsx";

/** A section of a customer's page below who it is, what colleagues flagged, and the other sections. */
export function CustomerFrame({ frame, children }: { frame: CustomerHeader; children: ReactNode }) {
  const { customer, frozen, flags, has } = frame;
  const root = `/operator/customers/${customer.id}`;
  const sections = customerSections
    .filter(({ once }) => once === undefined || has[once])
    .map(({ name, path, needs }): Tab => [root + path, name, needs]);
  return (
    <>
      <PageHeader
        title={customer.name}
        description={
          <span className={layout.inline}>
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
      <Tabs label="Sections of this customer" tabs={sections} />
      <StandingFlags flags={flags} customerId={customer.id} />
      {children}
    </>
  );
}
