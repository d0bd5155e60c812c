/** The numbers of the terms. Text and engine both read them here, so they cannot disagree. */
export const terms = {
  minimumPasswordLength: 8,
  maximumPasswordLength: 128,
  minimumAge: 18,
  rememberedSessionDays: 30,
  forgottenSessionHours: 12,
  operatorInvitationHours: 24,
  resetLinkMinutes: 60,
  verificationLinkHours: 24,
  slipMaxBytes: 10 * 1024 * 1024,
} as const;

/** What the browser waits for, in milliseconds. */
export const delays = {
  signInRedirectMs: 2000,
  navigationSpinnerMs: 3000,
  copyConfirmationMs: 2000,
  toastMs: 3000,
  noticeToastMs: 5000,
  carouselMs: 5000,
  widgetInjectionMs: 100,
} as const;

/** Page sizes a table offers. */
export const pageSizes = [10, 25, 50, 100] as const;

/** Width at and below which the account's sidebar stays open with its labels. */
export const sidebarBreakpointPx = 768;
