import { notFound, type Texts } from "#app/run-act.ts";
import { meanwhile } from "./meanwhile.ts";

export const plans: Texts = {
  "plans/no-such-plan": notFound,
  "plans/no-such-version": notFound,
  "plans/slug-taken": { field: "slug", text: "Another plan has this address" },
  "plans/slug-not-plain": {
    field: "slug",
    text: "Small letters, digits and hyphens, for instance start-360",
  },
  "plans/unnamed": { field: "name", text: "Write a name" },
  "plans/implausible-hashrate": { field: "unit", text: "Between 0.001 and 1,000,000 TH/s" },
  "plans/implausible-term": { field: "termDays", text: "Between 1 and 1,825 days" },
  "plans/implausible-limit": { field: "mostUnits", text: "Between 1 and 100,000" },
  "plans/implausible-offer": { field: "offered", text: "More than nothing, or leave it empty" },
  "plans/implausible-price": {
    field: "margin",
    text: "The parts must add up to more than nothing",
  },
  "plans/implausible-maintenance": {
    field: "maintenanceMargin",
    text: "The parts must not add up to less than nothing",
  },
  "plans/own-draft":
    "You wrote this draft. It was not published: another approver or owner publishes it.",
  "plans/not-published": "This version is still a draft. Nothing was changed.",
  "plans/changed-meanwhile": meanwhile(
    "This draft was changed while you looked at it. Below is how it is now; yours is kept in the form.",
  ),
  "plans/not-a-draft": meanwhile("This version is published. A change takes a new version."),
  "plans/already-retired": meanwhile("This version is retired. Offer a new version."),
};
