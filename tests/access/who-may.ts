import { operatorRoles } from "#core/permissions.ts";

export const everybody = ["stranger", "customer", "other customer", ...operatorRoles] as const;
export type Who = (typeof everybody)[number];

const customers: readonly Who[] = ["customer", "other customer"];
const theCustomer: readonly Who[] = ["customer"];
const allStaff: readonly Who[] = operatorRoles;
const caseWorkers: readonly Who[] = operatorRoles.filter((role) => role !== "content");
const deciders: readonly Who[] = ["approver", "owner"];
const supporters: readonly Who[] = ["support", "owner"];
const verifiers: readonly Who[] = ["verifier", "owner"];
const writers: readonly Who[] = ["content", "owner"];
const theOwner: readonly Who[] = ["owner"];
const auditors: readonly Who[] = ["auditor", "owner"];

/** Who may read each route of the site. A route that is missing here fails the walk. */
export const readers: Record<string, readonly Who[]> = {
  "/": everybody,
  "/about": everybody,
  "/services": everybody,
  "/contact": everybody,
  "/contact/sent": everybody,
  "/contact/answer": everybody,
  "/contact/challenge": everybody,
  "/newsletter": everybody,
  "/newsletter/asked": everybody,
  "/newsletter/confirm": everybody,
  "/newsletter/confirmed": everybody,
  "/newsletter/unsubscribe": everybody,
  "/newsletter/unsubscribed": everybody,
  "/faq": everybody,
  "/news": everybody,
  "/news.atom": everybody,
  "/terms": everybody,
  "/terms/:file": everybody,
  "/prices": everybody,
  "/embeds": everybody,
  // Nobody's while the operator has switched no widget on: app/site/embed.test.ts holds when it is somebody's.
  "/embeds/:name": [],
  "/login": everybody,
  "/signup": everybody,
  "/forgotpassword": everybody,
  "/resetpassword": everybody,
  "/verify-email": everybody,
  "/signout": everybody,
  "/account": customers,
  "/account/dashboard": customers,
  "/account/deposit": customers,
  "/account/deposit/draft": customers,
  "/account/deposit/:depositId": theCustomer,
  "/account/deposit/:depositId/slip": theCustomer,
  "/account/evidence/:transferId": theCustomer,
  "/account/withdraw": customers,
  "/account/transactions": customers,
  "/account/profile": customers,
  "/account/testimonial": customers,
  "/account/verification": customers,
  "/operator": caseWorkers,
  "/operator/deposits/:depositId": caseWorkers,
  "/operator/deposits/:depositId/slip": caseWorkers,
  "/operator/customers": caseWorkers,
  "/operator/customers/:customerId": caseWorkers,
  "/operator/verification": ["verifier", "auditor", "owner"],
  "/operator/verification/:submissionId": ["verifier", "auditor", "owner"],
  "/operator/verification/:submissionId/documents/:documentId": verifiers,
  "/operator/content": ["support", "content", "auditor", "owner"],
  "/operator/content/testimonials": ["support", "content", "auditor", "owner"],
  "/operator/content/testimonials/:testimonialId": ["support", "content", "auditor", "owner"],
  "/operator/content/invite/:customerId": supporters,
  "/operator/content/:kind/:slug": ["support", "content", "auditor", "owner"],
  "/operator/news": ["content", "auditor", "owner"],
  "/operator/news/:sourceId": ["content", "auditor", "owner"],
  "/operator/messages": ["support", "auditor", "owner"],
  "/operator/messages/:threadId": ["support", "auditor", "owner"],
  "/operator/newsletter": ["content", "auditor", "owner"],
  "/operator/newsletter.csv": ["content", "auditor", "owner"],
  "/operator/newsletter/new": writers,
  "/operator/newsletter/subscribers": ["content", "auditor", "owner"],
  "/operator/newsletter/:issueId": ["content", "auditor", "owner"],
  "/operator/mail": ["support", "auditor", "owner"],
  "/operator/mail/:mailId": ["support", "auditor", "owner"],
  "/operator/markets": allStaff,
  "/operator/jobs": auditors,
  "/operator/staff": allStaff,
  "/operator/staff/:operatorId": allStaff,
  "/operator/audit": auditors,
  "/operator/audit.csv": auditors,
  "/robots.txt": everybody,
  "/manifest.webmanifest": everybody,
  // A test network is in no list, and nobody has entered an address yet: app/site/seo.
  "/sitemap.xml": [],
  "/.well-known/security.txt": [],
  "/*": [],
};

/**
 * Who may send each form, by the `intent` that it names; `form` where the page has one that names none. A page that takes
 * forms and is missing here fails the walk, and so does a form of the console that is.
 */
export const senders: Record<string, Record<string, readonly Who[]>> = {
  "/contact": { form: everybody },
  "/contact/answer": { form: everybody },
  "/newsletter": { form: everybody },
  "/newsletter/confirm": { form: everybody },
  "/newsletter/unsubscribe": { form: everybody },
  "/embeds": { form: everybody },
  "/login": { form: everybody },
  "/signup": { form: everybody },
  "/forgotpassword": { form: everybody },
  "/resetpassword": { form: everybody },
  "/verify-email": { form: everybody, resend: everybody },
  "/signout": { form: everybody },
  "/account/deposit": { form: customers },
  "/account/deposit/draft": { form: customers },
  "/account/testimonial": {
    preview: customers,
    agree: customers,
    revoke: customers,
    decline: customers,
  },
  "/account/verification": { form: customers },
  "/operator/verification/:submissionId": {
    approve: verifiers,
    decline: verifiers,
    "second-review": verifiers,
  },
  "/operator/deposits/:depositId": {
    preview: deciders,
    change: deciders,
    approve: deciders,
    reject: deciders,
  },
  "/operator/customers/:customerId": { preview: supporters, message: supporters },
  "/operator/messages/:threadId": {
    reply: supporters,
    closed: supporters,
    spam: supporters,
    open: supporters,
  },
  "/operator/newsletter/new": { form: writers },
  "/operator/newsletter/:issueId": {
    save: writers,
    review: writers,
    test: writers,
    send: writers,
    stop: writers,
    discard: writers,
  },
  "/operator/content": { form: writers },
  "/operator/content/:kind/:slug": {
    preview: writers,
    draft: writers,
    publish: writers,
    withdraw: writers,
  },
  "/operator/content/testimonials/:testimonialId": {
    publish: writers,
    unpublish: writers,
    withdraw: ["support", "content", "owner"],
  },
  "/operator/content/invite/:customerId": { form: supporters },
  "/operator/news": { form: writers },
  "/operator/news/:sourceId": { save: writers, read: writers, remove: writers },
  "/operator/mail/:mailId": { form: supporters },
  "/operator/jobs": { form: theOwner },
  "/operator/staff": {
    invite: theOwner,
    confirm: theOwner,
    decline: theOwner,
    withdraw: theOwner,
  },
  "/operator/staff/:operatorId": {
    "change-role": theOwner,
    suspend: theOwner,
    reinstate: theOwner,
    renew: theOwner,
  },
};
