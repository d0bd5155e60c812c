import { data, Form, Link } from "react-router";
import { runAct } from "#app/run-act.ts";
import { TestimonialSlide } from "#app/ui/content/testimonial-slide.tsx";
import { Button } from "#app/ui/controls/button.tsx";
import { StatusBadge } from "#app/ui/figures/status-badge.tsx";
import { When } from "#app/ui/figures/when.tsx";
import { readAfterConflict } from "#app/ui/forms/read-after-conflict.ts";
import { SubmitButton } from "#app/ui/forms/submit-button.tsx";
import { Facts } from "#app/ui/page/facts.tsx";
import layout from "#app/ui/page/layout.module.css";
import { Notice } from "#app/ui/page/notice.tsx";
import { PageHeader } from "#app/ui/page/page-header.tsx";
import { Panel } from "#app/ui/page/panel.tsx";
import { isUuid } from "#core/is-uuid.ts";
import {
  contractsAreSold,
  findActiveContract,
  findContractResult,
} from "#server/content/find-contract-result.ts";
import { findTestimonialForConsole } from "#server/content/list-testimonials-for-console.ts";
import {
  publishTestimonial,
  unpublishTestimonial,
  withdrawInvitation,
} from "#server/content/publish-testimonial.ts";
import { MayLink } from "../parts/may-link.tsx";
import { consoleOf, found, guard, notFound } from "../parts/route.ts";
import { useMay } from "../parts/use-may.ts";
import { sayRefusal } from "../refusals/say-refusal.ts";
import type { Route } from "./+types/testimonial";
import styles from "./piece.module.css";
import { testimonialTones } from "./testimonial-tones.ts";

export const middleware = guard("content/read", {
  publish: "content/publish-testimonial",
  unpublish: "content/unpublish-testimonial",
  withdraw: "content/withdraw-invitation",
});
export const shouldRevalidate = readAfterConflict;
export const handle = {
  keys: [{ key: "a", does: "publish", needs: "content/publish-testimonial" }],
};
export function meta({ loaderData, matches }: Route.MetaArgs) {
  const name = loaderData?.testimonial.customerName ?? "Testimonial";
  return [{ title: `${name} · Testimonials · ${matches[0].loaderData.siteName}` }];
}

export async function loader({ params, context }: Route.LoaderArgs) {
  const { db } = consoleOf(context);
  const testimonial = found(await findTestimonialForConsole(db, params.testimonialId));
  const { customerId, state } = testimonial;
  const isPublished = state === "published";
  const contractId = isPublished
    ? testimonial.contractId
    : await findActiveContract(db, customerId);
  const [needsContract, result] = await Promise.all([
    contractsAreSold(db),
    contractId === null ? null : findContractResult(db, contractId),
  ]);
  return { testimonial, needsContract, result, isHidden: isPublished && needsContract && !result };
}

export async function action({ params, request, context }: Route.ActionArgs) {
  const { db, now, operator } = consoleOf(context);
  const { testimonialId } = params;
  if (!isUuid(testimonialId)) throw notFound();
  const form = await request.formData();
  const intent = String(form.get("intent"));
  const consentId = String(form.get("consentId"));
  const here = `/operator/content/testimonials/${testimonialId}`;
  return runAct(
    async () => {
      if (intent === "publish" && isUuid(consentId)) {
        await publishTestimonial(db, operator, { testimonialId, consentId }, now());
        return { to: here, say: "testimonial-published" };
      }
      if (intent === "unpublish") {
        await unpublishTestimonial(db, operator, testimonialId, now());
        return { to: here, say: "testimonial-unpublished" };
      }
      if (intent === "withdraw") {
        await withdrawInvitation(db, operator, testimonialId, now());
        return { to: here, say: "testimonial-withdrawn" };
      }
      return data({ error: "Choose what to do." }, 400);
    },
    (said) => ({ error: said.text }),
    sayRefusal,
  );
}

export default function Testimonial({ loaderData, actionData }: Route.ComponentProps) {
  const { testimonial, needsContract, result, isHidden } = loaderData;
  const { customerId, customerName, customerEmail, invitation, invitedAt, state } = testimonial;
  return (
    <>
      <PageHeader
        title={`Testimonial of ${customerName}`}
        description={<Link to="/operator/content/testimonials">All testimonials</Link>}
      />
      <div className={layout.stack}>
        {actionData?.error ? (
          <Notice tone="error" role="alert">
            {actionData.error}
          </Notice>
        ) : null}
        <div className={layout.pair}>
          <Panel title="The slide">
            <Slide testimonial={testimonial} result={result} />
          </Panel>
          <Panel title="What is known">
            <Facts
              facts={[
                {
                  label: "State",
                  value: <StatusBadge status={state} tone={testimonialTones[state]} />,
                },
                {
                  label: "Customer",
                  value: (
                    <MayLink needs="customers/read" to={`/operator/customers/${customerId}`}>
                      {customerEmail}
                    </MayLink>
                  ),
                },
                { label: "Asked", value: invitedAt },
                invitation ? { label: "In these words", value: invitation } : null,
                { label: "Agreed", value: testimonial.agreedAt },
                { label: "Published", value: testimonial.publishedAt },
                {
                  label: "Contract",
                  value: contractWords({ needsContract, result, isHidden }),
                },
              ]}
            />
            <Decisions testimonial={testimonial} isHidden={isHidden} />
          </Panel>
        </div>
        <Consents consents={testimonial.consents} />
      </div>
    </>
  );
}

interface OfContract {
  needsContract: boolean;
  result: string | null;
  /** Published, and not shown: without a contract, or with one that has ended. */
  isHidden: boolean;
}

function contractWords({ needsContract, result, isHidden }: OfContract): string {
  if (isHidden) {
    return "The site does not show this: no contract is named, or the one that was has ended. Publish it again with one that runs.";
  }
  if (result) return `${result}. The slide shows what it is on the day that somebody looks.`;
  return needsContract
    ? "The customer has no contract that runs, so the words cannot be published."
    : "None is sold yet, so no result is shown. As soon as one is, publishing needs an active one.";
}

type Loaded = Route.ComponentProps["loaderData"]["testimonial"];

function Slide({ testimonial, result }: { testimonial: Loaded; result: string | null }) {
  const { words, shownName, role, image } = testimonial;
  if (words === null || shownName === null) {
    return <p className={layout.note}>The customer agrees to nothing at the moment.</p>;
  }
  return (
    <TestimonialSlide
      name={shownName}
      role={role ?? ""}
      text={words}
      image={image ?? "none"}
      result={result}
    />
  );
}

function Decisions({
  testimonial: { state, consentId },
  isHidden,
}: {
  testimonial: Loaded;
  isHidden: boolean;
}) {
  const may = useMay();
  const isOpen = state !== "withdrawn" && state !== "declined";
  if (!isOpen) return null;
  return (
    <Form method="post" preventScrollReset className={styles.decisions}>
      <input type="hidden" name="consentId" value={consentId ?? ""} />
      <div className={layout.row} data-key="a">
        {(state === "agreed" || isHidden) && may("content/publish-testimonial") ? (
          <SubmitButton name="intent" value="publish" pendingText="Publishing…">
            Publish these words
          </SubmitButton>
        ) : null}
        {state === "published" && may("content/unpublish-testimonial") ? (
          <SubmitButton name="intent" value="unpublish" look="quiet">
            Take off the site
          </SubmitButton>
        ) : null}
        {may("content/withdraw-invitation") ? (
          <Button type="submit" name="intent" value="withdraw" look="outline" tone="brick">
            Take the invitation back
          </Button>
        ) : null}
      </div>
    </Form>
  );
}

function Consents({ consents }: Pick<Loaded, "consents">) {
  if (consents.length === 0) return null;
  return (
    <Panel title="All words that were agreed to">
      <dl className={styles.comparison}>
        {consents.map(({ id, agreedAt, endedAt, endedBy, shownName, words }) => (
          <div key={id}>
            <dt>
              <When at={agreedAt} /> {shownName}
              {endedAt ? (
                <>
                  {", "}
                  {endedBy} <When at={endedAt} />
                </>
              ) : null}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
