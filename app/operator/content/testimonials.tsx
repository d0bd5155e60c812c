import { Link } from "react-router";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { EmptyState } from "#app/ui/page/empty-state.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { titled } from "#app/ui/page/page-title.ts";
import { listTestimonials } from "#server/content/list-testimonials.ts";
import {
  type ListedTestimonial,
  listTestimonialsForConsole,
} from "#server/content/list-testimonials-for-console.ts";
import { listKeys } from "../console-keys.ts";
import list from "../parts/console-list.module.css";
import { ConsoleTable } from "../parts/console-table.tsx";
import { consoleOf, guard } from "../parts/route.ts";
import { StateTabs } from "../parts/tabs.tsx";
import { useMay } from "../parts/use-may.ts";
import type { Route } from "./+types/testimonials";
import { ContentTabs } from "./content-tabs.tsx";
import { testimonialTones } from "./testimonial-tones.ts";

export const middleware = guard("content/read");
export const meta = titled("Testimonials");
export const handle = { keys: listKeys };

export async function loader({ url, context }: Route.LoaderArgs) {
  const { db, config } = consoleOf(context);
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
      <div className={layout.stack}>
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
    <ConsoleTable
      label="Testimonials"
      rows={testimonials}
      columns={[
        {
          head: "Customer",
          sort: "customer",
          value: "customerName",
          to: ({ id }) => `/operator/content/testimonials/${id}`,
          second: ({ customerEmail }) => customerEmail,
        },
        {
          head: "State",
          cell: ({ state }) => <StatusBadge status={state} tone={testimonialTones[state]} />,
        },
        { head: "Words", cell: ({ words }) => <span className={list.reason}>{words ?? "–"}</span> },
        { head: "Asked", sort: "-asked", value: "invitedAt" },
      ]}
    />
  );
}
