import { expect, test } from "vitest";
import { sidebarCookie } from "./sidebar-cookie.ts";

const asking = (cookie?: string) =>
  new Request("http://site.test/account", cookie ? { headers: { cookie } } : {});

test("the sidebar is open until its owner folds it", () => {
  expect(sidebarCookie.isCollapsed(asking())).toBe(false);
  expect(sidebarCookie.isCollapsed(asking("a=1; sidebar=collapsed; b=2"))).toBe(true);
  expect(sidebarCookie.isCollapsed(asking("sidebar=open"))).toBe(false);
  expect(sidebarCookie.isCollapsed(asking("notsidebar=collapsed"))).toBe(false);
});

test("what the browser writes is what the server reads", () => {
  const cookie = sidebarCookie.write(true).split(";")[0] ?? "";
  expect(sidebarCookie.isCollapsed(asking(cookie))).toBe(true);
});
