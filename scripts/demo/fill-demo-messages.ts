import { randomUUID } from "node:crypto";
import type { App } from "../../server/app-context.ts";
import { answerBack } from "../../server/contact/answer-back.ts";
import { issueFormToken } from "../../server/contact/form-token.ts";
import { moveThread } from "../../server/contact/move-thread.ts";
import { replyToThread } from "../../server/contact/reply-to-thread.ts";
import { contactThreads } from "../../server/contact/schema.ts";
import { sendMessage } from "../../server/contact/send-message.ts";
import { threadToken } from "../../server/contact/thread-token.ts";
import type { Operator } from "../../server/identity/staff/operator.ts";
import { eq } from "../../server/platform/sql.ts";
import type { DemoDays, DemoEvent } from "./demo-timeline.ts";

interface Context {
  app: App;
  days: DemoDays;
  olga: Operator;
  idOf(email: string): string;
}

interface SampleMessage {
  name: string;
  email: string;
  subject: string;
  text: string;
  isCustomer?: boolean;
}

/** Messages that wait, were answered, were answered back, and were closed. */
export function messageEvents(context: Context): DemoEvent[] {
  const { days } = context;
  const fees = new SampleThread(context, {
    name: "Nadia Rahman",
    email: "nadia@example.com",
    isCustomer: true,
    subject: "Demo: when is a withdrawal paid?",
    text: "I asked for a withdrawal this morning. Is it paid today?",
  });
  const hardware = new SampleThread(context, {
    name: "A Visitor",
    email: "visitor@example.com",
    subject: "Demo: which machines do you run?",
    text: "Your plans name 15 J/TH. Which machines are that, and where are they?",
  });
  const advert = new SampleThread(context, {
    name: "Somebody Else",
    email: "offers@example.com",
    subject: "Demo: cheap search results",
    text: "We bring you to the first page of every search.",
  });
  const slip = new SampleThread(context, {
    name: "Ada Lovelace",
    email: "ada@example.com",
    isCustomer: true,
    subject: "Demo: my rejected deposit",
    text: "You rejected my USDT deposit. I attach the transaction id: it is on another network, I think.",
  });
  return [
    fees.isSent(days.at(20, "17:00")),
    fees.isAnswered(
      days.at(19, "08:40"),
      "A request of one UTC day is in the batch of the next day. Yours is paid this morning.",
    ),
    advert.isSent(days.at(14, "03:12")),
    advert.isClosed(days.at(14, "08:05")),
    hardware.isSent(days.at(5, "12:30")),
    hardware.isAnswered(
      days.at(4, "09:00"),
      "All figures of a demo are invented. A real operator would name the model, the site and the electricity bill here.",
    ),
    hardware.isAnsweredBack(days.at(3, "21:20"), "Thank you. And what does a kWh cost you?"),
    slip.isSent(days.at(1, "20:30")),
  ];
}

class SampleThread {
  readonly #context: Context;
  readonly #message: SampleMessage;
  #reference = "";

  constructor(context: Context, message: SampleMessage) {
    this.#context = context;
    this.#message = message;
  }

  isSent(when: Date): DemoEvent {
    const { app, idOf } = this.#context;
    const { name: fullName, email, subject, text: message, isCustomer = false } = this.#message;
    return {
      at: when,
      happen: async (now) => {
        const shownAt = new Date(now.getTime() - 60_000);
        const formToken = issueFormToken(app.config.authSecret, shownAt);
        const sent = await sendMessage(app, {
          fullName,
          email,
          subject,
          message,
          formToken,
          proof: "",
          trap: "",
          now,
          customerId: isCustomer ? idOf(email) : null,
          notify: null,
          clientAddress: "127.0.0.1",
        });
        this.#reference = sent.reference;
      },
    };
  }

  isAnswered(when: Date, text: string): DemoEvent {
    const { app, olga } = this.#context;
    return {
      at: when,
      happen: async (at) => {
        const { threadId, seen } = await this.#find();
        const reply = { threadId, submissionKey: randomUUID(), seen, text, replyTo: null };
        await replyToThread(app, olga, reply, at);
      },
    };
  }

  isAnsweredBack(when: Date, message: string): DemoEvent {
    const { app } = this.#context;
    return {
      at: when,
      happen: async (now) => {
        const { threadId } = await this.#find();
        const token = threadToken(app.config.authSecret, threadId);
        const formToken = issueFormToken(app.config.authSecret, now);
        const said = { threadToken: token, formToken, message, notify: null, now };
        await answerBack(app, { ...said, clientAddress: "127.0.0.1" });
      },
    };
  }

  isClosed(when: Date): DemoEvent {
    const { app, olga } = this.#context;
    return {
      at: when,
      happen: async (at) => {
        await moveThread(app.db, olga, { ...(await this.#find()), to: "closed" }, at);
      },
    };
  }

  async #find(): Promise<{ threadId: string; seen: number }> {
    const t = contactThreads;
    const isThis = eq(t.reference, this.#reference);
    const [thread] = await this.#context.app.db
      .select({ threadId: t.id, seen: t.revision })
      .from(t)
      .where(isThis);
    if (!thread) throw new Error("the message was sent");
    return thread;
  }
}
