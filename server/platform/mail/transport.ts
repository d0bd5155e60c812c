import { mkdir, rename, writeFile } from "node:fs/promises";
import { isIPv4 } from "node:net";
import path from "node:path";
import { createTransport, type SendMailOptions } from "nodemailer";
import type { Config } from "../config.ts";

export interface Transport {
  via: "smtp" | "outbox";
  /** Hands the message over, or throws a `DeliveryError`. */
  deliver(message: SendMailOptions & { id: string; date: Date }): Promise<void>;
}

/** A mail server, or the way to it, did not take a message. Its text names nobody. */
export class DeliveryError extends Error {
  override name = "DeliveryError";
  /** Whether trying again is pointless: the server refused this recipient or this message for good. */
  readonly isFinal: boolean;

  constructor(message: string, isFinal: boolean) {
    super(message);
    this.isFinal = isFinal;
  }
}

/** Short enough that a server which accepts and never answers does not hold a worker. */
const timeouts = {
  dnsTimeout: 5_000,
  connectionTimeout: 5_000,
  greetingTimeout: 5_000,
  socketTimeout: 10_000,
};
const deadlineMs = 25_000;

/** The way that mail leaves: the configured SMTP server, or files in `DATA_DIR`/outbox without one. */
export function openTransport(config: Pick<Config, "smtpUrl" | "dataDir">): Transport {
  return config.smtpUrl ? smtp(config.smtpUrl) : outbox(path.join(config.dataDir, "outbox"));
}

/**
 * How to reach a mail server. Mails open accounts: a server elsewhere must speak TLS, from the first byte (`smtps:`) or
 * by STARTTLS, so that nobody on the way can hide that it is offered.
 */
export function smtpOptions(url: string) {
  const { hostname } = new URL(url);
  const isLoopback = isIPv4(hostname) && hostname.startsWith("127.");
  const isHere = isLoopback || hostname === "localhost" || hostname === "[::1]";
  return { url, requireTLS: !isHere, ...timeouts };
}

function smtp(url: string): Transport {
  return {
    via: "smtp",
    async deliver({ id: _id, ...message }) {
      const transport = createTransport(smtpOptions(url));
      const deadline = setTimeout(() => transport.close(), deadlineMs);
      try {
        await Promise.race([transport.sendMail(message), lateness(deadlineMs)]);
      } catch (error) {
        throw deliveryError(error as SmtpError);
      } finally {
        clearTimeout(deadline);
        transport.close();
      }
    },
  };
}

interface SmtpError extends Error {
  code?: string;
  command?: string;
  responseCode?: number;
}

/** For a server that keeps a connection alive with single bytes, which no timeout of silence ends. */
function lateness(afterMs: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(Object.assign(new Error(), { code: "ETIMEDOUT" })), afterMs).unref();
  });
}

/** Keeps codes only: what a server writes in its answer may repeat the recipient's address. */
function deliveryError(error: SmtpError): DeliveryError {
  const { code = error.name, command, responseCode } = error;
  const answer = responseCode === undefined ? "" : `, the server answered ${responseCode}`;
  const during = command ? ` during ${command}` : "";
  const isAboutThisMail = code === "EENVELOPE" || code === "EMESSAGE";
  const isFinal = isAboutThisMail && responseCode !== undefined && responseCode >= 500;
  return new DeliveryError(`${code}${during}${answer}`, isFinal);
}

function outbox(folder: string): Transport {
  return {
    via: "outbox",
    async deliver({ id, ...message }) {
      const writer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
      const { message: bytes } = await writer.sendMail(message);
      const moment = message.date.toISOString().replace(/[-:]|\.\d+/g, "");
      const file = path.join(folder, `${moment}-${id}.eml`);
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(`${file}.part`, bytes as Buffer, { mode: 0o600 });
        await rename(`${file}.part`, file);
      } catch (error) {
        throw new DeliveryError(`outbox: ${(error as NodeJS.ErrnoException).code}`, false);
      }
    },
  };
}
