// Drives a running server with OpenAI's own client; argv: its address. Ends with 0 when all held.
import assert from "node:assert/strict";
import OpenAI from "openai";

const client = new OpenAI({ baseURL: `${process.argv[2]}/v1`, apiKey: "none", timeout: 60_000 });
const ask = (messages, more = {}) =>
  client.chat.completions.create({ model: "tally", messages, ...more });
const user = (content) => ({ role: "user", content });
const reply = (completion) => completion.choices[0].message;

const models = [];
for await (const model of client.models.list()) models.push(model.id);
assert.ok(models.includes("tally"));

const { data: one, response } = await ask([user("add 1")]).withResponse();
const session = response.headers.get("ruleplay-session");
assert.equal(reply(one).content, "The tally is 1. You said: add 1");

const before = [user("add 1"), reply(one)];
const two = await ask([...before, user("add 10")]);
const branch = await ask([...before, user("add 20")]).withResponse();
assert.match(reply(two).content, /^The tally is 11\./);
assert.match(reply(branch.data).content, /^The tally is 21\./);
assert.equal(branch.response.headers.get("ruleplay-session"), session);

const stream = await ask([...before, user("add 30")], {
  stream: true,
  stream_options: { include_usage: true },
});
let told = "";
let usage = null;
for await (const chunk of stream) {
  told += chunk.choices[0]?.delta.content ?? "";
  usage = chunk.usage ?? usage;
}
assert.equal(told, "The tally is 31. You said: add 30");
assert.equal(usage.total_tokens, 0);

const retried = await client.chat.completions.create(
  { model: "tally", messages: [...before, user("add 30")] },
  { headers: { "x-stainless-retry-count": "1" } },
);
assert.equal(retried.id, `chatcmpl-${(await last(session)).turn}`);

// The line breaks after the turn was played: the client asks once more by itself, and gets that turn.
const losing = new OpenAI({ baseURL: `${process.argv[3]}/v1`, apiKey: "none", timeout: 60_000 });
const lost = await losing.chat.completions.create({
  model: "tally",
  messages: [...before, user("add 40")],
});
assert.match(reply(lost).content, /^The tally is 41\./);
assert.equal((await branches(session)).filter(({ message }) => message === "add 40").length, 1);

const first = await client.responses.create({ model: "tally", input: "add 5" });
const second = await client.responses.create({
  model: "tally",
  input: "add 6",
  previous_response_id: first.id,
});
assert.match(second.output_text, /^The tally is 11\./);
const kinds = [];
for await (const event of await client.responses.create({
  model: "tally",
  input: "add 7",
  previous_response_id: first.id,
  stream: true,
}))
  kinds.push(event.type);
assert.equal(kinds.at(0), "response.created");
assert.equal(kinds.at(-1), "response.completed");

const began = Date.now();
await assert.rejects(ask([user("not now")]), (error) => error.status === 409);
assert.ok(Date.now() - began < 5_000, "what would not change is not asked again");
await assert.rejects(
  ask([user("x")], { model: "nobody" }),
  (error) => error.status === 404 && error.code === "model_not_found",
);
const failing = await ask([user("break")], { stream: true });
await assert.rejects(async () => {
  for await (const _ of failing);
}, OpenAI.APIError);

async function shown(id) {
  return (await fetch(`${process.argv[2]}/api/sessions/${id}`)).json();
}

async function last(id) {
  return (await shown(id)).turns.at(-1);
}

async function branches(id) {
  return (await shown(id)).branches;
}
