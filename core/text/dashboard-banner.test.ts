import { expect, test } from "vitest";
import { dashboardBanner, welcomeText } from "./dashboard-banner.ts";

const now = new Date("2026-11-21T12:00:00Z");
const customer = { depositTotalCents: 125_050n, message: "Your plan is ready", expiresAt: null };

test("a customer without deposits is welcomed, whatever message is set", () => {
  const newcomer = { ...customer, depositTotalCents: 0n, message: "notice: read this" };
  expect(dashboardBanner(newcomer, now)).toEqual({ kind: "welcome", text: welcomeText });
});

test.each(["Notice: your slip is unreadable", "please read this notice", "NOTICE"])(
  "%s is a warning",
  (message) => {
    expect(dashboardBanner({ ...customer, message }, now)).toEqual({
      kind: "notice",
      text: message,
    });
  },
);

test.each(["Your plan is ready", "We noticed your deposit"])("%s is good news", (message) => {
  expect(dashboardBanner({ ...customer, message }, now)?.kind).toBe("message");
});

test("an empty message shows nothing", () => {
  expect(dashboardBanner({ ...customer, message: "  " }, now)).toBeNull();
});

test("a message ends at its expiry, to the moment", () => {
  const until = (expiresAt: Date) => dashboardBanner({ ...customer, expiresAt }, now);
  expect(until(new Date(now.getTime() + 1))?.kind).toBe("message");
  expect(until(now)).toBeNull();
});
