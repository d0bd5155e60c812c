import { titled } from "#app/ui/page-title.ts";
import { TextPage } from "./text-page.tsx";

export const meta = titled("Services");

export default function Services() {
  return (
    <TextPage title="Services" lead="What you can do here today, and what comes later.">
      <h2>Today</h2>
      <ul>
        <li>Open an account and verify your e-mail address.</li>
        <li>Declare a deposit in bitcoin, ether or USDT with its payment slip.</li>
        <li>Follow its review, and see the coins that arrived on your dashboard.</li>
      </ul>
      <h2>Later</h2>
      <ul>
        <li>Mining contracts for hashrate that exists, credited from what a pool really paid.</li>
        <li>Withdrawals with a date, and a page for every movement of your account.</li>
        <li>Conversion between coins at a firm quote.</li>
      </ul>
      <p>This page will describe each of them in full when it opens.</p>
    </TextPage>
  );
}
