import type { AddressInfo, Server, Socket } from "node:net";
import { createServer } from "node:net";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";

export interface ReceivedMail {
  messageId: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
}

export interface SmtpInbox {
  port: number;
  url: string;
  /** Oldest first. */
  mails: ReceivedMail[];
  stop(): Promise<void>;
}

/** A real SMTP server that keeps what it receives, or gives it on. On port 0 it chooses a free one. */
export async function startSmtpInbox({
  port = 0,
  onMail,
}: {
  port?: number;
  onMail?: (mail: ReceivedMail) => void;
} = {}): Promise<SmtpInbox> {
  const mails: ReceivedMail[] = [];
  const take = onMail ?? ((mail: ReceivedMail) => mails.push(mail));
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo(address, _session, done) {
      const refused = address.address.startsWith("nobody@");
      done(refused ? Object.assign(new Error("no such mailbox"), { responseCode: 550 }) : null);
    },
    onData(stream, _session, done) {
      read(stream).then(
        (mail) => {
          take(mail);
          done();
        },
        (error: Error) => done(error),
      );
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const chosen = (server.server.address() as AddressInfo).port;
  return {
    port: chosen,
    url: `smtp://127.0.0.1:${chosen}`,
    mails,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function read(stream: AsyncIterable<Buffer>): Promise<ReceivedMail> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  const mail = await PostalMime.parse(Buffer.concat(parts));
  return {
    messageId: mail.messageId ?? "",
    from: mail.from?.address ?? "",
    to: (mail.to ?? []).flatMap(({ address }) => (address ? [address] : [])),
    subject: mail.subject ?? "",
    text: mail.text ?? "",
    html: mail.html ?? "",
    headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
  };
}

/** A mail server that accepts connections and never says a word. */
export async function startBlackHole(): Promise<{ url: string; stop(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** The first link in a mail's text that leads to this path. */
export function linkIn(text: string, path: string): URL {
  const found = [...text.matchAll(/https?:\/\/\S+/g)]
    .map(([url]) => new URL(url))
    .find((url) => url.pathname === path);
  if (!found) throw new Error(`no link to ${path} in: ${text}`);
  return found;
}
