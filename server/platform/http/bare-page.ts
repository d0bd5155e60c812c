/** What stands on it, by status; of the rest the specification's own words. */
const said: Record<number, { title: string; sentence: string }> = {
  400: {
    title: "Not readable",
    sentence: "What was sent cannot be read, so nothing was done. Go back and send it again.",
  },
  403: {
    title: "Sent from elsewhere",
    sentence:
      "This form did not come from a page of this site, so nothing was done. Open the page here and send it again.",
  },
  404: {
    title: "Page not found",
    sentence: "There is no page at this address.",
  },
  405: {
    title: "Not possible this way",
    sentence:
      "Pages are read, and their forms are sent. Nothing else is taken, so nothing was done.",
  },
  408: {
    title: "Took too long",
    sentence:
      "The form did not arrive within a minute, so nothing was done. Go back and send it again.",
  },
  413: {
    title: "Too large",
    sentence: "This is more than the form takes, so nothing was done. Go back and send less.",
  },
  503: {
    title: "Not available right now",
    sentence: "The site cannot answer this at the moment. Please try again in a few seconds.",
  },
};

const unexpected = {
  title: "Unexpected Application Error",
  sentence: "An unexpected error occurred. Please try again later.",
};

/**
 * What a person reads where no page can be drawn any more. It stands alone: no script, no file, no database.
 *
 * @param appUrl where the site is, for whoever came by another address
 */
export function barePage(status: number, appUrl?: string): string {
  const { title, sentence } = said[status] ?? unexpected;
  const { origin, hostname } = appUrl ? new URL(appUrl) : { origin: "", hostname: "" };
  // Where nobody said it, it is the visitor's own machine.
  const site = hostname === "127.0.0.1" ? "" : origin;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
<main>
<p class="status">${status}</p>
<h1>${title}</h1>
<p>${sentence}${site && ` The site is at ${site}.`}</p>
<a href="${site}/">Back home</a>
</main>
</html>
`;
}

/** The colours of app/ui/theme/tokens.ts, which nothing here may import. */
const style = `
:root { --paper: #fbfaf7; --ink: #16181d; --muted: #5b5f69; --line: #8d877b; --copper: #a84f20; --on: #fff }
@media (prefers-color-scheme: dark) {
  :root { --paper: #14161a; --ink: #ece9e3; --muted: #a3a7b0; --line: #6e7480; --copper: #e08650; --on: #14161a }
}
body {
  display: grid; min-height: 100dvh; margin: 0; padding: 1.5rem; box-sizing: border-box; place-items: center;
  background: var(--paper); color: var(--muted); font: 1.0625rem/1.55 system-ui, sans-serif; text-align: center;
}
main { max-width: 30rem; padding-bottom: 8vh }
h1 { margin: 0; color: var(--ink); font: 600 clamp(1.75rem, 1.5rem + 2vw, 2.5rem)/1.2 Georgia, serif }
p { margin: 0.75rem 0 2rem; text-wrap: balance }
.status {
  display: inline-block; margin: 0 0 0.75rem; padding: 0 0.625rem; border: 1px solid var(--line); border-radius: 4px;
  font-size: 0.875rem; letter-spacing: 0.08em;
}
a {
  display: inline-block; padding: 0.625rem 1.25rem; border-radius: 6px; background: var(--copper); color: var(--on);
  font-weight: 600; text-decoration: none;
}
`;
