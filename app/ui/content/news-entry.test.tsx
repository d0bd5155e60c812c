import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { AnnouncementEntry } from "./news-entry.tsx";

const at = { publishedAt: new Date("2026-11-21T12:00:00Z"), ageMs: 60_000 };

test("what is written from right to left runs so", () => {
  const ours = { title: "إعلان", text: "صباح الخير\n\n- واحد", pinned: false };
  const page = renderToStaticMarkup(
    <MemoryRouter>
      <AnnouncementEntry {...ours} {...at} />
    </MemoryRouter>,
  );
  expect(page).toMatch(/<h3[^>]* dir="auto">إعلان/);
  expect(page).toContain('<p dir="auto">صباح الخير</p><ul dir="auto">');
});
