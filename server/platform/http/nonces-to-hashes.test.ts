import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { noncesToHashes } from "./nonces-to-hashes.ts";

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

test("allows exactly the inline scripts and styles that carried the nonce", () => {
  const { html, scripts, styles } = noncesToHashes(
    '<script nonce="n1">first()</script><style data-x="1" nonce="n1">a{}</style>' +
      '<script>smuggled()</script><script nonce="other">guessed()</script>',
    "n1",
  );
  expect(scripts).toEqual([hashOf("first()")]);
  expect(styles).toEqual([hashOf("a{}")]);
  expect(html).not.toContain('nonce="n1"');
});

test("a script loaded by its address needs no hash", () => {
  const { html, scripts } = noncesToHashes(
    '<script type="module" nonce="n" src="/a.js"></script>',
    "n",
  );
  expect(scripts).toEqual([]);
  expect(html).toBe('<script type="module" src="/a.js"></script>');
});
