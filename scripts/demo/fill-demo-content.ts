import { randomUUID } from "node:crypto";
import type { App } from "../../server/app-context.ts";
import { type Company, emptyCompany } from "../../server/content/content.ts";
import { inviteTestimonial } from "../../server/content/invite-testimonial.ts";
import { type ContentEdit, saveContent } from "../../server/content/save-content.ts";
import type { Operator } from "../../server/identity/staff/operator.ts";

interface SampleAnnouncement {
  slug: string;
  title: string;
  text: string;
  daysAgo: number;
  pinned?: boolean;
}

/** Each says by itself that it belongs to a demo: pages are shown to others without their surroundings. */
const announcements: SampleAnnouncement[] = [
  {
    slug: "this-is-a-demo",
    title: "This is a demo",
    text: "Every person, coin and payment here is invented. Look around, break things, read [how a figure is checked](/about).\n\nNothing you enter reaches a real operator.",
    daysAgo: 30,
    pinned: true,
  },
  {
    slug: "demo-how-an-announcement-looks",
    title: "Demo: how an announcement looks",
    text: "An operator writes it in the console, sees it exactly like this before publishing, and can compare and restore every version.\n\n- It stands here and on the landing page.\n- It also comes as a [feed](/news.atom).\n- Numbers of the terms stand in it by name: the minimum withdrawal is **{minimumWithdrawal}**, whatever the text says around it.",
    daysAgo: 6,
  },
  {
    slug: "demo-planned-maintenance",
    title: "Demo: a planned maintenance that never happens",
    text: "So would a real one be told: what stops, when, for how long, and what it costs you. In this demo nothing stops.",
    daysAgo: 1.5,
  },
];

/** An address that exists nowhere: example.com belongs to nobody, and the numbers are for films. */
const company: Company = {
  ...emptyCompany,
  name: "Demo Operator (invented)",
  registration: "Not registered: this is a demo",
  postalAddress: "1 Example Street\nNowhere",
  email: "demo@example.com",
  officeHours: "Never: nobody works here",
};

/** What the invented operator says on the site of the demo, through the same acts as a real one. */
export async function fillDemoContent(
  app: App,
  operator: Operator,
  customerId: string,
): Promise<void> {
  const edit = { seenVersion: 0, state: "published" } as const;
  const before = (days: number) => new Date(app.now().getTime() - days * 86_400_000);
  const identity = { kind: "company", slug: "company", newId: null, body: company } as const;
  await saveContent(app.db, operator, { ...edit, ...identity }, before(40));
  for (const { slug, daysAgo, pinned = false, ...words } of announcements) {
    const at = before(daysAgo);
    const body = { ...words, pinned, publishedAt: at.toISOString(), expiresAt: null };
    const announcement: ContentEdit = {
      ...edit,
      kind: "announcement",
      slug,
      newId: randomUUID(),
      body,
    };
    await saveContent(app.db, operator, announcement, at);
  }
  const invitation = "Demo: so an operator asks a customer for a few words.";
  await inviteTestimonial(
    app.db,
    operator,
    { customerId, invitation, site: app.config },
    before(1),
  );
}
