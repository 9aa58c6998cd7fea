// Drives a running server with AG-UI's own client; argv: its address. Ends with 0 when all held.
import assert from "node:assert/strict";
import { HttpAgent } from "@ag-ui/client";

const url = process.argv[2];
const user = (id, content) => ({ id, role: "user", content });

async function run(agent, forwardedProps = {}, more = {}) {
  const seen = [];
  const errors = [];
  const done = await agent.runAgent(
    { forwardedProps, ...more },
    {
      onEvent: ({ event }) => void seen.push(event),
      onRunErrorEvent: ({ event }) => void errors.push(event),
    },
  );
  const last = seen.at(-1).type;
  assert.ok(["RUN_FINISHED", "RUN_ERROR"].includes(last), last);
  assert.equal(seen.filter(({ type }) => /^RUN_(FINISHED|ERROR)$/.test(type)).length, 1);
  return { ...done, seen, errors, types: seen.map(({ type }) => type) };
}

// Text, steps, events and the state's patch.
const tally = new HttpAgent({ url: `${url}/agui/tally`, threadId: "thread-1" });
tally.addMessage(user("m1", "add 3"));
const one = await run(tally);
assert.equal(one.newMessages.at(-1).content, "The tally is 3. You said: add 3");
assert.equal(tally.state.total, 3);
for (const type of ["STATE_SNAPSHOT", "STEP_STARTED", "CUSTOM", "TEXT_MESSAGE_END", "STATE_DELTA"])
  assert.ok(one.types.includes(type), type);
assert.equal(one.newMessages.at(-1).id, one.result.turn);

// The same message once more, as a page sends it that was loaded anew, is the same turn.
const again = new HttpAgent({ url: `${url}/agui/tally`, threadId: "thread-1" });
again.addMessage(user("m1", "add 3"));
assert.equal((await run(again)).result.turn, one.result.turn);

// It goes on, and from an earlier reply another branch begins.
tally.addMessage(user("m2", "add 4"));
assert.equal((await run(tally)).result.number, 2);
assert.equal(tally.state.total, 7);
const branch = new HttpAgent({
  url: `${url}/agui/tally`,
  threadId: "thread-1",
  initialMessages: [user("m1", "add 3"), one.newMessages.at(-1), user("m3", "add 10")],
});
assert.equal((await run(branch)).result.number, 2);
assert.equal(branch.state.total, 13);

// A page that loads a thread gets its state and messages.
const loading = new HttpAgent({ url: `${url}/agui/tally`, threadId: "thread-1" });
await run(loading);
assert.deepEqual(
  loading.messages.map(({ content }) => content),
  ["add 3", "The tally is 3. You said: add 3", "add 10", "The tally is 13. You said: add 10"],
);

// What is refused or fails ends the run with an error.
for (const message of ["not now", "break", "model-down"]) {
  const failing = new HttpAgent({ url: `${url}/agui/tally` });
  failing.addMessage(user("x", message));
  const failed = await run(failing).catch((error) => ({ errors: [error] }));
  assert.equal(failed.errors.length, 1, message);
  assert.ok(!String(failed.errors[0].message).includes("secret"), message);
}

// A tool and an open choice as an interrupt, answered by a run that resumes.
const parts = new HttpAgent({ url: `${url}/agui/parts`, threadId: "thread-2" });
parts.addMessage(user("p1", process.argv[3]));
const asked = await run(parts, { interrupts: true });
const outcome = asked.seen.at(-1).outcome;
assert.equal(outcome.type, "interrupt", JSON.stringify(parts.state));
const [open] = outcome.interrupts;
const choice = open.responseSchema.properties.choice.enum[0];
const resumed = await run(
  parts,
  { interrupts: true },
  { resume: [{ interruptId: open.id, status: "resolved", payload: { choice } }] },
);
assert.equal(resumed.result.number, 2);
assert.ok(resumed.types.includes("TOOL_CALL_RESULT"), resumed.types.join(" "));
