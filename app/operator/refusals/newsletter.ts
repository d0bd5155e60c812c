import { notFound, type Texts } from "#app/run-act.ts";

const changed = {
  text: "The issue changed meanwhile: a colleague saved or sent it. Below is how it is now.",
  status: 409,
};

export const newsletter: Texts = {
  "newsletter/no-such-issue": notFound,
  "newsletter/issue-changed": changed,
  "newsletter/not-a-draft": changed,
  "newsletter/issue-empty": "Write a subject and a text.",
  "newsletter/nobody-subscribed": {
    text: "No subscribers: no address is confirmed yet, so nothing was sent.",
    status: 409,
  },
};
