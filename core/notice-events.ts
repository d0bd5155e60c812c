/** What a customer is told by mail and may choose not to be told. What is about safety is not among it. */
export const noticeEvents = [
  "deposit-received",
  "deposit-approved",
  "deposit-credited",
  "deposit-rejected",
  "contract-ending",
  "adjustment-posted",
  "testimonial-invitation",
] as const;
export type NoticeEvent = (typeof noticeEvents)[number];

/** How often a customer gets a digest of what was mined; who chose nothing gets one every week. */
export const digestRhythms = ["off", "day", "week", "month"] as const;
export type DigestEvery = (typeof digestRhythms)[number];
