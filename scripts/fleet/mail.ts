// The mail server of a fleet, which puts each mail into a file instead of sending it: `mail.ts FOLDER PORT`.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { startSmtpInbox } from "../../tests/fakes/smtp-inbox.ts";
import { runUntilStopped } from "../run-until-stopped.ts";

const [folder = "", port = ""] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
await runUntilStopped(() =>
  startSmtpInbox({
    port: Number(port),
    onMail({ messageId, to, subject, text }) {
      const name = `${new Date().toISOString().replaceAll(":", "-")} ${messageId.replace(/\W/g, "")}.txt`;
      writeFileSync(path.join(folder, name), `To: ${to.join()}\nSubject: ${subject}\n\n${text}\n`);
    },
  }),
);
