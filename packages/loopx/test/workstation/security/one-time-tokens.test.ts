import { expect, test } from "vitest";
import { createOneTimeTokens, TOKEN_LIFE_MS } from "../../../src/workstation/security/one-time-tokens.ts";
import { createSessions, SESSION_IDLE_MS } from "../../../src/workstation/security/sessions.ts";

test("a token is good once", () => {
  const tokens = createOneTimeTokens(() => 0);
  const token = tokens.create();
  expect(token).toMatch(/^[\w-]{43}$/);
  expect([tokens.use(token), tokens.use(token)]).toEqual([true, false]);
});

test("a token is good for five minutes, and another one changes nothing about that", () => {
  let nowMs = 0;
  const tokens = createOneTimeTokens(() => nowMs);
  const [early, late, forgotten] = [tokens.create(), tokens.create(), tokens.create()];
  nowMs = TOKEN_LIFE_MS - 1;
  expect(tokens.use(early)).toBe(true);
  nowMs = TOKEN_LIFE_MS;
  expect(tokens.use(late)).toBe(false);
  // What has expired is forgotten when there is a new one.
  tokens.create();
  expect(tokens.use(forgotten)).toBe(false);
});

test("what is no token of this server is none: not part of one, nothing, nor the digest that is kept", () => {
  const tokens = createOneTimeTokens(() => 0);
  const token = tokens.create();
  for (const wrong of ["", token.slice(1), `${token} `, createOneTimeTokens(() => 0).create()]) {
    expect(tokens.use(wrong)).toBe(false);
  }
  expect(tokens.use(token)).toBe(true);
});

test("a browser stays let in while it is used, and no longer than twelve hours without", () => {
  let nowMs = 0;
  const sessions = createSessions(() => nowMs);
  const secret = sessions.open();
  nowMs += SESSION_IDLE_MS - 1;
  expect(sessions.isOpen(secret)).toBe(true);
  nowMs += SESSION_IDLE_MS - 1;
  expect(sessions.isOpen(secret)).toBe(true);
  nowMs += SESSION_IDLE_MS;
  expect([sessions.isOpen(secret), sessions.isOpen(secret), sessions.isOpen("")]).toEqual([false, false, false]);
});

test("many links do not grow the server: the browser used longest ago gives way", () => {
  let nowMs = 0;
  const sessions = createSessions(() => nowMs);
  const [kept, dropped] = [sessions.open(), sessions.open()];
  for (let count = 2; count < 65; count += 1) {
    nowMs += 1;
    sessions.isOpen(kept);
    sessions.open();
  }
  expect([sessions.isOpen(kept), sessions.isOpen(dropped)]).toEqual([true, false]);
});
