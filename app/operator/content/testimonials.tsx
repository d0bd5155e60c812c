import { Link } from "react-router";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { DataTable } from "#app/ui/tables/data-table.tsx";
import { appContext } from "#server/app-context.ts";
import { listTestimonials } from "#server/content/list-testimonials.ts";
import {
  type ListedTestimonial,
  listTestimonialsForConsole,
} from "#server/content/list-testimonials-for-console.ts";
import { requirePermission } from "#server/identity/staff/require-permission.ts";
import { listKeys } from "../console-keys.ts";
import { ConsoleError } from "../parts/console-error.tsx";
import list from "../parts/console-list.module.css";
import { StateTabs } from "../parts/state-tabs.tsx";
import { useMay } from "../parts/use-may.ts";
import type { Route } from "./+types/testimonials";
import { ContentTabs } from "./content-tabs.tsx";
import page from "./overview.module.css";
import { testimonialTones } from "./testimonial-tones.ts";

export const middleware: Route.MiddlewareFunction[] = [requirePermission("content/read")];
export const ErrorBoundary = ConsoleError;
export const meta = titled("Testimonials");
export const handle = { keys: listKeys };

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, config } = context.get(appContext);
  const toRead = url.searchParams.get("state") === "agreed";
  const [testimonials, carousel] = await Promise.all([
    listTestimonialsForConsole(db, { toRead }),
    listTestimonials(db, config),
  ]);
  return { toRead, testimonials, carousel };
}

export default function Testimonials({ loaderData }: Route.ComponentProps) {
  const { toRead, testimonials, carousel } = loaderData;
  const may = useMay();
  return (
    <>
      <PageHeader
        title="Testimonials"
        description="Asked for on a customer's page, written and agreed to by the customer, published here. The newest three are shown."
      />
      <ContentTabs />
      <div className={page.column}>
        {carousel.areSamples ? (
          <Notice title="The site shows three slides marked Sample">
            They are gone for good as soon as a real testimonial is published.
          </Notice>
        ) : null}
        <StateTabs
          label="Testimonials by state"
          page="/operator/content/testimonials"
          states={[
            [null, "All"],
            ["agreed", "To read"],
          ]}
          state={toRead ? "agreed" : null}
        />
        {testimonials.length === 0 && toRead ? (
          <EmptyState drawing="seal">No testimonial waits to be read.</EmptyState>
        ) : testimonials.length === 0 ? (
          <EmptyState
            drawing="seal"
            action={
              may("content/invite-testimonial") ? (
                <Link to="/operator/customers">Choose a customer to ask</Link>
              ) : null
            }
          >
            No customer has been asked yet.
          </EmptyState>
        ) : (
          <TestimonialTable testimonials={testimonials} />
        )}
      </div>
    </>
  );
}

function TestimonialTable({ testimonials }: { testimonials: ListedTestimonial[] }) {
  return (
    <DataTable
      label="Testimonials"
      rows={testimonials}
      rowKey={({ id }) => id}
      rowClass={list.row}
      columns={[
        {
          head: "Customer",
          sort: { column: "customer", by: ({ customerName }) => customerName },
          cell: ({ id, customerName, customerEmail }) => (
            <>
              <Link to={`/operator/content/testimonials/${id}`} className={list.link} data-row>
                {customerName}
              </Link>
              <div className={list.second}>{customerEmail}</div>
            </>
          ),
        },
        {
          head: "State",
          cell: ({ state }) => <StatusBadge status={state} tone={testimonialTones[state]} />,
        },
        { head: "Words", cell: ({ words }) => <span className={list.reason}>{words ?? "–"}</span> },
        {
          head: "Asked",
          sort: { column: "asked", first: "desc", by: ({ invitedAt }) => invitedAt },
          cell: ({ invitedAt }) => <When at={invitedAt} />,
        },
      ]}
    />
  );
}
