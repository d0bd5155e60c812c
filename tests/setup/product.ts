import { createServer } from "node:http";
import { startSmtpInbox } from "../fakes/smtp-inbox.ts";
import { runProduct } from "./run-product.ts";

/**
 * Starts the product as an operator would, with an SMTP server beside it, for all journeys of a run.
 * Tells the tests where through the environment: JOURNEY_URL, JOURNEY_INBOX,
 * JOURNEY_SMTP_URL, JOURNEY_DATA_DIR.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const inbox = await startSmtpInbox();
  const mails = createServer((request, response) => {
    const to = new URL(request.url ?? "/", "http://inbox").searchParams.get("to");
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(inbox.mails.filter((mail) => !to || mail.to.includes(to))));
  });
  await new Promise<void>((resolve) => mails.listen(0, "127.0.0.1", resolve));
  const smtpUrl = `smtp://127.0.0.1:${inbox.port}`;
  const product = await runProduct({ SMTP_URL: smtpUrl, WEB_CONCURRENCY: "2" });
  process.env["JOURNEY_URL"] = product.url;
  process.env["JOURNEY_INBOX"] = `http://127.0.0.1:${addressPort(mails)}`;
  process.env["JOURNEY_SMTP_URL"] = smtpUrl;
  process.env["JOURNEY_DATA_DIR"] = product.dataDir;
  return async () => {
    await product.stop();
    mails.closeAllConnections();
    mails.close();
    await inbox.stop();
  };
}

function addressPort(server: { address(): unknown }): number {
  return (server.address() as { port: number }).port;
}
