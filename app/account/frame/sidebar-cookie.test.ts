import { expect, test } from "vitest";
import { sidebarCookie } from "./sidebar-cookie.ts";

const asking = (cookie?: string) =>
  new Request("http://site.test/account", cookie ? { headers: { cookie } } : {});

test("the sidebar is open until its owner folds it", () => {
  expect(sidebarCookie.isCollapsed(asking(), false)).toBe(false);
  expect(sidebarCookie.isCollapsed(asking("a=1; sidebar=collapsed; b=2"), false)).toBe(true);
  expect(sidebarCookie.isCollapsed(asking("sidebar=open"), false)).toBe(false);
  expect(sidebarCookie.isCollapsed(asking("notsidebar=collapsed"), false)).toBe(false);
});

test.each([false, true])(
  "what the browser writes is what the server reads, with TLS: %s",
  (secure) => {
    const cookie = sidebarCookie.write(true, secure);
    expect(cookie.startsWith("__Host-") && cookie.endsWith("; secure")).toBe(secure);
    const request = asking(cookie.split(";")[0]);
    expect(sidebarCookie.isCollapsed(request, secure)).toBe(true);
    expect(sidebarCookie.isCollapsed(request, !secure)).toBe(false);
  },
);
