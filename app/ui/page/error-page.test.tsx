import { renderToStaticMarkup } from "react-dom/server";
import { UNSAFE_ErrorResponseImpl as ErrorResponse, MemoryRouter } from "react-router";
import { describe, expect, test, vi } from "vitest";
import { ErrorPage } from "./error-page.tsx";

// The page asks for what the root says of the site; here there is no root.
vi.mock("react-router", async (load) => ({
  ...(await load<typeof import("react-router")>()),
  useRouteLoaderData: () => undefined,
}));

/** The page as the server sends it: its text is there without a script. */
function pageFor(error: unknown): string {
  return renderToStaticMarkup(
    <MemoryRouter>
      <ErrorPage error={error} />
    </MemoryRouter>,
  ).replaceAll("&#x27;", "'");
}

test("an address that is nobody's", () => {
  const page = pageFor(new ErrorResponse(404, "Not Found", null));
  expect(page).toContain("Ohh!!");
  expect(page).toContain("We can't seem to find the page you are looking for");
  expect(page).toMatch(/<a[^>]*href="\/"[^>]*>.*Back home/);
  expect(page).not.toContain("Reload");
});

test("an address in a country from which nobody may sign in, and how to reach us", () => {
  const page = pageFor(
    new ErrorResponse(451, "", { blockedCountry: "United States", siteName: "Assay" }),
  );
  // It is refused before anything else is read, so nothing but the refusal itself can say whose site it is.
  expect(page).toContain("<title>Not available where you are · Assay</title>");
  expect(page).toContain("Not available where you are");
  expect(page).toContain("in this country: United States.");
  expect(page).toMatch(/<a[^>]*href="\/contact"/);
});

test("of a fault inside the server no number is named, since the answer's own may be another", () => {
  expect(pageFor(new ErrorResponse(405, "", null))).toContain(">405<");
  expect(pageFor(new Error("Unexpected Server Error"))).not.toContain(">500<");
});

describe("an error with a status", () => {
  test.each([
    ["that the server answered", new ErrorResponse(503, "Service Unavailable", null)],
    ["of a fault inside the server", new Error("Unexpected Server Error")],
  ])("%s", (_, error) => {
    const page = pageFor(error);
    expect(page).toContain("Unexpected Application Error");
    expect(page).toContain("An unexpected error occurred. Please try again later.");
    expect(page).not.toContain("Reload");
  });
});

test("an error without a status offers to load the same page again", () => {
  const page = pageFor(new TypeError("Failed to fetch"));
  expect(page).toContain("Unexpected Application Error");
  expect(page).toContain("Your internet connection seems to be unstable. Please reload the page.");
  expect(page).toMatch(/<a[^>]*href=""[^>]*>.*Reload/);
});
