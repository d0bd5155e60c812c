/** What a customer is told by mail and may choose not to be told. What is about safety is not among it. */
export const noticeEvents = [
  "deposit-received",
  "deposit-approved",
  "deposit-rejected",
  "adjustment-posted",
  "testimonial-invitation",
] as const;
export type NoticeEvent = (typeof noticeEvents)[number];
