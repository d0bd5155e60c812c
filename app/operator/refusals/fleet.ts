import type { Texts } from "#app/run-act.ts";
import { meanwhile } from "./meanwhile.ts";

export const fleet: Texts = {
  "fleet/no-such-site": "This site is not there any more. Nothing was changed.",
  "fleet/no-such-delivery": "These machines are not there any more. Nothing was changed.",
  "fleet/no-such-outage": meanwhile("This outage is not there any more. Nothing was changed."),
  "fleet/site-unnamed": { field: "name", text: "Write a name and the place" },
  "fleet/site-name-taken": { field: "name", text: "Another site has this name" },
  "fleet/implausible-energy-price": { field: "price", text: "Between $0.000001 and $10" },
  "fleet/evidence-missing": { field: "evidence", text: "Write the source, such as the bill" },
  "fleet/model-unnamed": { field: "model", text: "Write the model" },
  "fleet/less-than-sold": {
    field: "machines",
    text: "Contracts need more machines than that. If some broke down, note an outage: contracts run longer for it",
  },
  "fleet/implausible-machines": {
    field: "machines",
    text: "This cannot be right for a delivery of machines",
  },
  "fleet/implausible-reserve": { field: "percent", text: "Between 0 and 100" },
  "fleet/outage-in-the-future": { field: "at", text: "This has not happened yet" },
  "fleet/outage-ends-before-it-starts": { field: "until", text: "This is before it began" },
  "fleet/end-in-the-future": { field: "until", text: "This has not happened yet" },
  "fleet/reason-missing": { field: "reason", text: "Write the reason, as customers read it" },
  "fleet/nothing-lost": { field: "lost", text: "More than nothing" },
  "fleet/more-than-runs": { field: "lost", text: "More than runs there on that day" },
  "fleet/correction-unexplained": { field: "why", text: "Write why" },
  "fleet/nothing-to-correct": "That is what is noted already. Nothing was changed.",
  "fleet/state-changed-meanwhile": meanwhile(
    "Something else was noted of these machines while you looked at them. Nothing was changed. What is noted now is on this page; yours is kept in the form.",
  ),
  "fleet/site-changed-meanwhile": meanwhile(
    "This site was changed while you looked at it. How it is now is on this page; yours is kept in the form.",
  ),
  "fleet/outage-changed-meanwhile": meanwhile(
    "This outage was corrected, ended or cancelled while you looked at it. What is noted now is on this page.",
  ),
};
